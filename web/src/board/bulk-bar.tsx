/** What can be done with all selected cards at once. Each card is answered by itself: refusals are listed. */
import { useState } from 'preact/hooks';
import type { BulkInput, BulkItem } from '../../../client/types.ts';
import { plural } from '../state/format.ts';
import { tellError, toast } from '../state/notices.ts';
import { Button } from '../ui/button.tsx';
import { ask, Dialog } from '../ui/dialog.tsx';
import { useBoard } from './context.ts';
import type { BoardStore } from './store.ts';

/** The most that one request takes. */
const AT_ONCE = 100;

interface Refusal {
  readonly key: string;
  readonly reason: string;
}

export function BulkBar() {
  const { store } = useBoard();
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  const ids = [...store.selected.value];
  const run = (what: string, input: Omit<BulkInput, 'ids'>): void => {
    void bulk(store, ids, what, input).then(setRefusals);
  };
  return (
    <>
      {ids.length === 0 ? null : <Bar ids={ids} run={run} />}
      {refusals.length === 0 ? null : <Refused refusals={refusals} close={() => setRefusals([])} />}
    </>
  );
}

interface BarProps {
  readonly ids: readonly string[];
  readonly run: (what: string, input: Omit<BulkInput, 'ids'>) => void;
}

function Bar({ ids, run }: BarProps) {
  const { store } = useBoard();
  const columns = store.board.value?.columns ?? [];
  return (
    <div class="bulk-bar" role="toolbar" aria-label="Selected cards">
      <strong>{ids.length} selected</strong>
      <label class="inline-choice">
        <span class="visually-hidden">Move the selected cards to</span>
        <select
          value=""
          onChange={({ currentTarget }) => run('Moved', { move: { column_id: currentTarget.value } })}
        >
          <option value="">Move to…</option>
          {columns.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <label class="inline-choice">
        <span class="visually-hidden">Priority of the selected cards</span>
        <select
          value=""
          onChange={({ currentTarget }) =>
            run('Changed', { patch: { priority: Number(currentTarget.value) } })
          }
        >
          <option value="">Priority…</option>
          {[9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((priority) => (
            <option key={priority} value={priority}>
              {priority}
            </option>
          ))}
        </select>
      </label>
      <Button small onClick={() => void askAssignee(run)}>
        Assign
      </Button>
      <Button small onClick={() => run('Unblocked', { verb: 'unblock' })}>
        Unblock
      </Button>
      <Button small onClick={() => run('Redriven', { verb: 'redrive' })}>
        Redrive
      </Button>
      <Button small onClick={() => run('Completed', { verb: 'complete' })}>
        Complete
      </Button>
      <Button small kind="danger" onClick={() => void askArchive(ids.length, run)}>
        Archive
      </Button>
      <Button
        small
        kind="quiet"
        onClick={() => {
          store.selected.value = new Set();
        }}
      >
        Clear
      </Button>
    </div>
  );
}

async function askAssignee(run: BarProps['run']): Promise<void> {
  const name = await ask({
    title: 'Assign the selected cards',
    text: 'Only this agent is offered them. Leave it empty for anybody.',
    confirm: 'Assign',
    reason: 'Agent',
    reasonOptional: true,
  });
  if (name !== null) run('Assigned', { patch: { assignee: name === '' ? null : name } });
}

async function askArchive(count: number, run: BarProps['run']): Promise<void> {
  const sure = await ask({
    title: `Archive ${plural(count, 'card')}?`,
    text: 'They leave the board. "Show archived" brings them into view, and each can be taken back.',
    confirm: 'Archive',
    kind: 'danger',
  });
  if (sure !== null) run('Archived', { verb: 'archive' });
}

async function bulk(
  store: BoardStore,
  ids: readonly string[],
  what: string,
  input: Omit<BulkInput, 'ids'>,
): Promise<readonly Refusal[]> {
  const items: BulkItem[] = [];
  try {
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const answer = await store.client.cards.bulk(store.slug, {
        ids: ids.slice(at, at + AT_ONCE),
        ...input,
      });
      items.push(...answer.items);
    }
  } catch (error) {
    tellError('The selected cards were not all changed', error);
  }
  for (const { card } of items) if (card !== undefined) store.takeAnswer(card);
  const refused = items.filter(({ error }) => error !== undefined);
  const done = items.length - refused.length;
  if (done > 0) toast(`${what}: ${plural(done, 'card')}`, 'good');
  // What was refused stays selected, to be tried another way.
  store.selected.value = new Set(refused.map(({ id }) => id));
  return refused.map(({ id, error }) => ({
    key: store.card(id)?.key ?? id,
    reason: error?.detail ?? error?.title ?? 'refused',
  }));
}

function Refused({ refusals, close }: { readonly refusals: readonly Refusal[]; readonly close: () => void }) {
  return (
    <Dialog title={`${plural(refusals.length, 'card was', 'cards were')} refused`} onClose={close}>
      <p>The others are done. These are still selected.</p>
      <ul class="refusals">
        {refusals.map(({ key, reason }) => (
          <li key={key}>
            <strong>{key}</strong> {reason}
          </li>
        ))}
      </ul>
      <div class="dialog-actions">
        <Button kind="primary" onClick={close}>
          Close
        </Button>
      </div>
    </Dialog>
  );
}
