/** One board with everything around it: follows it while it is open, and shows the view that the address names. */
import { computed } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import type { BoardEvent, CardSummary, ColumnDetail } from '../../../client/types.ts';
import { CardDrawer } from '../card/drawer.tsx';
import { CreateDialog } from '../card/create-dialog.tsx';
import { ActivityPage } from '../pages/activity.tsx';
import { ContractDialog } from '../pages/contract.tsx';
import { DeadPage } from '../pages/dead.tsx';
import { DiagnosticsPage } from '../pages/diagnostics.tsx';
import { WebhooksPage } from '../pages/webhooks.tsx';
import { WorkPage } from '../pages/work.tsx';
import { now } from '../state/clock.ts';
import { api } from '../state/session.ts';
import { Link, type Route } from '../state/router.tsx';
import { Button } from '../ui/button.tsx';
import { Empty, Failed, Loading } from '../ui/states.tsx';
import { arrange, type Shown } from './arrange.ts';
import { BoardContext, type BoardContextValue } from './context.ts';
import { BoardHeader } from './header.tsx';
import { BoardView } from './board-view.tsx';
import { filter, matches } from './filters.ts';
import { prepareFlights } from './fly.ts';
import { Help } from './help.tsx';
import { useKeyboard } from './keyboard.ts';
import { LiveBoard } from './live.ts';
import { MoveDialog } from './move-dialog.tsx';
import { BoardStore } from './store.ts';
import { teller } from './tell.ts';

type BoardRoute = Extract<Route, { page: 'board' }>;

export function BoardPage({ at }: { readonly at: BoardRoute }) {
  const context = useMemo(() => contextFor(at.slug), [at.slug]);
  useEffect(() => {
    context.live.start();
    return () => context.live.stop();
  }, [context]);
  useKeyboard(context);
  return (
    <BoardContext.Provider value={context}>
      <BoardFrame at={at} context={context} />
    </BoardContext.Provider>
  );
}

function contextFor(slug: string): BoardContextValue {
  const store = new BoardStore(api(), slug);
  store.beforeNews = (events: readonly BoardEvent[]) => prepareFlights(movers(store, events));
  let before: readonly Shown[] = [];
  const shown = computed(() => {
    const by = filter.value;
    // Only a filter by state depends on the time.
    const time = by.state === '' ? now.peek() : now.value;
    const fits = (card: CardSummary, { role }: ColumnDetail): boolean => matches(card, role, by, time);
    before = arrange(store.board.value?.columns ?? [], store.cards.value, fits, before);
    return before;
  });
  return { store, live: new LiveBoard(store, teller(slug)), shown };
}

/** Cards that these events put into another column than the one in which they are shown. */
function movers(store: BoardStore, events: readonly BoardEvent[]): string[] {
  return events.flatMap(({ card_id, data: { card } }) => {
    const shown = card_id === null ? null : store.card(card_id);
    return shown !== null && card !== null && shown.column_id !== card.column_id ? [shown.id] : [];
  });
}

function BoardFrame({ at, context }: { readonly at: BoardRoute; readonly context: BoardContextValue }) {
  const { store, live } = context;
  const board = store.board.value;
  if (live.status.value === 'gone') return <Gone why={live.problem.value} retry={() => live.reload()} />;
  if (board === null) {
    const problem = live.problem.value;
    return (
      <main class="page">
        {problem === null ? (
          <Loading what="the board" />
        ) : (
          <Failed error={problem} retry={() => live.reload()} />
        )}
      </main>
    );
  }
  return (
    <div class={at.card === null ? 'board-frame' : 'board-frame with-drawer'}>
      <main class={`page page-${at.view}`} id="main">
        <BoardHeader at={at} board={board} />
        <CurrentView at={at} />
      </main>
      {at.card === null ? null : <CardDrawer key={at.card} id={at.card} />}
      {at.column === null ? null : <ContractDialog key={at.column} columnId={at.column} />}
      <CreateDialog />
      <MoveDialog />
      <Help />
    </div>
  );
}

/** What stood here is not shown any longer: nothing on it could still be done. */
function Gone({ why, retry }: { readonly why: string | null; readonly retry: () => void }) {
  return (
    <main class="page" id="main">
      <Empty icon="board" title="This board is not here">
        <p role="alert">{why ?? 'It was deleted, or your token may not see it.'}</p>
        <div class="actions">
          <Link class="button button-primary" to="/">
            All boards
          </Link>
          <Button icon="back" onClick={retry}>
            Try again
          </Button>
        </div>
      </Empty>
    </main>
  );
}

function CurrentView({ at }: { readonly at: BoardRoute }) {
  switch (at.view) {
    case 'board':
      return <BoardView />;
    case 'work':
      return <WorkPage />;
    case 'dead':
      return <DeadPage />;
    case 'diagnostics':
      return <DiagnosticsPage />;
    case 'activity':
      return <ActivityPage />;
    case 'webhooks':
      return <WebhooksPage />;
  }
}
