/** Every attempt at a card: who, how long, how it ended. */
import type { Card, Run } from '../../../client/types.ts';
import { now } from '../state/clock.ts';
import { dateTime, duration, secondsSince } from '../state/format.ts';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Json } from '../ui/json.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Text } from './body.tsx';

const PAGE = 100;
const BAD = new Set([
  'failed',
  'expired',
  'timed_out',
  'dead_lettered',
  'reclaimed',
  'taken_over',
  'blocked',
]);

export function Runs({ card }: { readonly card: Card }) {
  const key = `${card.id} ${card.fence} ${card.state}`;
  const { value, error, reload } = useResource(key, async () => api().cards.runs(card.id, { limit: PAGE }));
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="runs" />;
  if (value.items.length === 0) return <p class="faint">Nobody has worked on it yet.</p>;
  return (
    <ol class="runs">
      {value.items.toReversed().map((run) => (
        <RunItem key={run.id} run={run} />
      ))}
    </ol>
  );
}

function RunItem({ run }: { readonly run: Run }) {
  const outcome = run.outcome ?? 'running';
  const tone = run.outcome === null ? 'lit' : BAD.has(run.outcome) ? 'bad' : 'good';
  return (
    <li class="run">
      <p class="run-head">
        <Avatar name={run.agent ?? '?'} />
        <strong>{run.agent ?? 'Nobody'}</strong>
        <span class={`outcome outcome-${tone}`}>{outcome.replaceAll('_', ' ')}</span>
        {run.late ? <span class="chip">late</span> : null}
        {run.refunded ? <span class="chip">attempt given back</span> : null}
        <span class="spring" />
        <span class="faint">
          run {run.number}, attempt {run.attempt}
        </span>
      </p>
      {run.started_at === null ? null : (
        <p class="faint">
          {dateTime(run.started_at)}, {duration(lasted(run))}
          {run.ended_by === null || run.ended_by === run.agent ? '' : `, ended by ${run.ended_by}`}
        </p>
      )}
      {run.error === null ? null : <pre class="plain-text run-error">{run.error}</pre>}
      {run.summary === null ? null : <Text text={run.summary} />}
      {run.checkpoint === null ? null : <blockquote>{run.checkpoint}</blockquote>}
      {run.output === null ? null : <Json value={run.output} />}
    </li>
  );
}

function lasted(run: Run): number {
  const end = run.ended_at === null ? now.value : Date.parse(run.ended_at);
  return secondsSince(run.started_at, end);
}
