/** Why is this not running: every card that is not offered, why, and the step that would change it. */
import { useEffect, useMemo } from 'preact/hooks';
import type { JsonObject } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import type { BoardStore } from '../board/store.ts';
import { now } from '../state/clock.ts';
import { duration, plural, secondsSince } from '../state/format.ts';
import { tellError, toast } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { cardPath, Link } from '../state/router.tsx';
import { api, may, send } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/dialog.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { grouped, standsStill } from './diagnosis-groups.ts';

interface Step {
  readonly verb: string;
  readonly method: string;
  readonly path: string;
  readonly body: JsonObject | null;
}

interface Diagnostic {
  readonly card_id: string;
  readonly code: string;
  readonly sentence: string;
  readonly since: string | null;
  readonly action: Step | null;
}

/** Under one heading. */
const GROUP_SHOWN = 50;
const NONE: readonly Diagnostic[] = [];

export function DiagnosticsPage() {
  const { store } = useBoard();
  const changes = store.events.value.length;
  const { value, error, reload } = useResource(`${store.slug} ${Math.floor(changes / 25)}`, async () =>
    read(store.slug),
  );
  useChanged(store, value?.items ?? NONE, reload);
  if (error !== null && value === null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="diagnostics" />;
  if (value.items.length === 0) {
    return (
      <Empty icon="check" title="Every card is on offer or done">
        <p>When a card is held up, this says why, and what would get it going.</p>
      </Empty>
    );
  }
  return (
    <div class="list-page">
      <div class="page-bar">
        <p class="page-summary">
          <strong>{plural(value.items.length, 'card')}</strong> {value.more ? 'and more ' : ''}are not on
          offer.
        </p>
        <Button icon="back" onClick={reload}>
          Look again
        </Button>
      </div>
      {grouped(value.items).map(({ title, items }) => (
        <Group key={title} title={title} items={items} done={reload} />
      ))}
    </div>
  );
}

/** Calls when somebody has moved a card on that is listed: it may be stuck no longer. */
function useChanged(store: BoardStore, items: readonly Diagnostic[], changed: () => void): void {
  const numbers = (): string =>
    items
      .filter(({ code }) => standsStill(code))
      .map(({ card_id }) => store.cards.value.get(card_id)?.sequence ?? 0)
      .join(' ');
  const before = useMemo(numbers, [items]);
  const moved = numbers() !== before;
  useEffect(() => {
    if (moved) changed();
  }, [moved]);
}

interface GroupProps {
  readonly title: string;
  readonly items: readonly Diagnostic[];
  readonly done: () => void;
}

function Group({ title, items, done }: GroupProps) {
  return (
    <section class="diagnosis-group">
      <h2>
        {title} <span class="count-chip">{items.length}</span>
      </h2>
      <ul>
        {items.slice(0, GROUP_SHOWN).map((item) => (
          <Diagnosed key={`${item.card_id} ${item.code}`} item={item} done={done} />
        ))}
      </ul>
      {items.length > GROUP_SHOWN ? <p class="faint">and {items.length - GROUP_SHOWN} more</p> : null}
    </section>
  );
}

function Diagnosed({ item, done }: { readonly item: Diagnostic; readonly done: () => void }) {
  const { store } = useBoard();
  const card = store.card(item.card_id);
  const { action } = item;
  return (
    <li class="diagnosis">
      <div>
        <Link to={cardPath(store.slug, item.card_id)}>
          <span class="key">{card?.key ?? item.card_id}</span> {card?.title ?? ''}
        </Link>
        <p>{item.sentence}</p>
        <p class="faint">
          <code>{item.code}</code>
          {item.since === null ? '' : ` for ${duration(secondsSince(item.since, now.value))}`}
        </p>
      </div>
      {action !== null && action.body !== null && may('member') ? (
        <Button small onClick={() => void cure(action).then(done)}>
          {wordsOf(action)}
        </Button>
      ) : (
        <Link class="button button-plain button-small" to={cardPath(store.slug, item.card_id)}>
          Open
        </Link>
      )}
    </li>
  );
}

/** `unblockCard` is Unblock. */
function wordsOf({ verb }: Step): string {
  const word = verb
    .replace(/(Card|Cards|Column)$/, '')
    .replaceAll(/([A-Z])/g, ' $1')
    .toLowerCase();
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** The server names the request that helps; it is sent as it is named. */
async function cure(step: Step): Promise<void> {
  const sure = await ask({
    title: `${wordsOf(step)}?`,
    text: `It is done at once. As a request: ${step.method} ${step.path}`,
    confirm: wordsOf(step),
  });
  if (sure === null) return;
  try {
    const answer = await send(step.path, {
      method: step.method,
      headers: { 'content-type': 'application/json' },
      body: step.method === 'DELETE' ? null : JSON.stringify(step.body),
    });
    if (!answer.ok) {
      const problem = (await answer.json()) as { detail?: string; title?: string };
      throw new Error(problem.detail ?? problem.title ?? `The server answered ${answer.status}`);
    }
    toast('Done', 'good');
  } catch (error) {
    tellError(`${wordsOf(step)} was refused`, error);
  }
}

const MOST_PAGES = 5;

async function read(slug: string): Promise<{ items: readonly Diagnostic[]; more: boolean }> {
  const items: Diagnostic[] = [];
  // A first page is what most boards have; one that goes on is looked at a little further.
  const answer = (await api().boards.diagnostics(slug)) as unknown as {
    items: readonly Diagnostic[];
    next_cursor: string | null;
  };
  items.push(...answer.items);
  let cursor = answer.next_cursor;
  for (let page = 1; page < MOST_PAGES && cursor !== null; page += 1) {
    const path = `/v1/boards/${encodeURIComponent(slug)}/diagnostics?cursor=${encodeURIComponent(cursor)}`;
    const next = await send(path);
    if (!next.ok) break;
    const more = (await next.json()) as typeof answer;
    items.push(...more.items);
    cursor = more.next_cursor;
  }
  return { items, more: cursor !== null };
}
