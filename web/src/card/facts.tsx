/** The small print of a card. */
import type { Card } from '../../../client/types.ts';
import { now } from '../state/clock.ts';
import { ago, dateTime, duration } from '../state/format.ts';

export function Facts({ card }: { readonly card: Card }) {
  const facts: readonly (readonly [string, string | null])[] = [
    ['Priority', String(card.priority)],
    ['Assignee', card.assignee ?? 'Anybody'],
    ['Reserved until', card.reserved_until === null ? null : dateTime(card.reserved_until)],
    ['Tenant', card.tenant],
    ['Labels', card.labels.join(', ') || null],
    ['Skills', card.skills.join(', ') || null],
    [
      'Model',
      card.model === null ? null : [card.model.provider, card.model.name].filter(Boolean).join(' / '),
    ],
    ['Scheduled', card.scheduled_at === null ? null : dateTime(card.scheduled_at)],
    ['Attempts', `${card.attempt} in this column, ${card.counts.runs} runs in all`],
    ['Most attempts', card.max_attempts === null ? null : String(card.max_attempts)],
    ['Longest run', card.max_runtime_seconds === null ? null : duration(card.max_runtime_seconds)],
    ['Dedupe key', card.dedupe_key],
    ['Created', `${dateTime(card.created_at)} by ${card.created_by}`],
    ['Changed', ago(card.updated_at, now.value)],
  ];
  return (
    <section>
      <h3>Details</h3>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}
