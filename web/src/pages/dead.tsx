/** Dead letters: cards that used up their attempts, why, and the way back. */
import { useState } from 'preact/hooks';
import type { CardSummary, ColumnDetail } from '../../../client/types.ts';
import { redrive } from '../board/actions.ts';
import { useBoard } from '../board/context.ts';
import type { BoardStore } from '../board/store.ts';
import { now } from '../state/clock.ts';
import { ago, plural } from '../state/format.ts';
import { tellError, toast } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { cardPath, Link } from '../state/router.tsx';
import { api, may } from '../state/session.ts';
import { Button } from '../ui/button.tsx';
import { ask } from '../ui/dialog.tsx';
import { Empty, Loading } from '../ui/states.tsx';

export function DeadPage() {
  const { store } = useBoard();
  const dead = [...store.cards.value.values()]
    .map(({ card }) => card)
    .filter(({ state }) => state === 'dead')
    .toSorted((a, b) => (a.updated_at < b.updated_at ? 1 : -1));
  if (dead.length === 0) {
    if (!store.isRead) return <Loading what="dead letters" />;
    return (
      <Empty icon="check" title="No dead letters">
        <p>
          A card whose attempts are used up stops here, with the error of its last run, instead of going round
          for ever.
        </p>
      </Empty>
    );
  }
  const columns = (store.board.value?.columns ?? []).filter(({ id }) =>
    dead.some((card) => card.column_id === id),
  );
  return (
    <div class="list-page">
      <div class="page-bar">
        <p class="page-summary">
          <strong>{plural(dead.length, 'card')}</strong> used up their attempts. Redriven, a card begins anew
          in the queue where it died.
        </p>
        {may('member')
          ? columns.map((column) => <RedriveAll key={column.id} column={column} store={store} />)
          : null}
      </div>
      <ul class="dead-list">
        {dead.map((card) => (
          <DeadRow key={card.id} card={card} />
        ))}
      </ul>
    </div>
  );
}

function RedriveAll({ column, store }: { readonly column: ColumnDetail; readonly store: BoardStore }) {
  const [busy, setBusy] = useState(false);
  const run = async (): Promise<void> => {
    const sure = await ask({
      title: `Redrive all of ${column.name}?`,
      text: 'Every card that died in this column or lies dead in it goes back to its queue, with all its attempts.',
      confirm: 'Redrive all',
    });
    if (sure === null) return;
    setBusy(true);
    await redriveColumn(store, column);
    setBusy(false);
  };
  return (
    <Button kind="primary" icon="back" disabled={busy} onClick={() => void run()}>
      Redrive all in {column.name}
    </Button>
  );
}

async function redriveColumn(store: BoardStore, column: ColumnDetail): Promise<void> {
  let redriven = 0;
  let refused = 0;
  try {
    for (let more = true; more;) {
      const page = await api().columns.redrive(store.slug, column.id);
      redriven += page.redriven;
      refused += page.refused;
      more = page.more;
    }
    toast(
      `${plural(redriven, 'card')} redriven${refused > 0 ? `, ${refused} refused` : ''}`,
      refused > 0 ? 'warn' : 'good',
    );
  } catch (error) {
    tellError('Not all cards were redriven', error);
  }
}

function DeadRow({ card }: { readonly card: CardSummary }) {
  const { store } = useBoard();
  const { value } = useResource(`${card.id} ${card.fence}`, async () => lastError(card.id));
  return (
    <li class="dead-row">
      <div class="dead-what">
        <Link to={cardPath(store.slug, card.id)}>
          <span class="key">{card.key}</span> {card.title}
        </Link>
        <p class="faint">
          {store.column(card.column_id)?.name} · {plural(card.attempt, 'attempt')} of{' '}
          {store.mostAttempts(card)} · died {ago(card.updated_at, now.value)}
        </p>
        {value === null ? null : <p class="dead-error">{value}</p>}
      </div>
      {may('member') ? (
        <Button small icon="back" onClick={() => void redrive(store, card)}>
          Redrive
        </Button>
      ) : null}
    </li>
  );
}

/** What its last run ended with. */
async function lastError(card: string): Promise<string> {
  const { items } = await api().cards.runs(card, { limit: 100 });
  const last = items.at(-1);
  return last?.error ?? last?.summary ?? (last?.outcome ?? 'No run has said why').replaceAll('_', ' ');
}
