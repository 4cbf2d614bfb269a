/** The columns side by side. */
import { useCallback } from 'preact/hooks';
import { useBoard } from './context.ts';
import { moveCard } from './actions.ts';
import { BulkBar } from './bulk-bar.tsx';
import { Column } from './column.tsx';
import { isFiltered } from './filters.ts';
import { useDragMonitor, type DropPlace } from './drag.ts';
import { SavedViews } from './saved-views.tsx';
import { Toolbar } from './toolbar.tsx';
import { may } from '../state/session.ts';

export function BoardView() {
  const { store, shown } = useBoard();
  const drop = useCallback(
    (id: string, place: DropPlace) => {
      const card = store.card(id);
      const target = shown.peek().find(({ column }) => column.id === place.column);
      if (card === null || target === undefined || !may('member')) return;
      void moveCard(store, card, { ...place, column: target.column, order: target.cards });
    },
    [store],
  );
  useDragMonitor(drop);
  return (
    <>
      <Toolbar />
      <SavedViews />
      <div class={isFiltered.value ? 'columns filtered' : 'columns'} tabIndex={-1}>
        {shown.value.map((one) => (
          <Column key={one.column.id} shown={one} />
        ))}
      </div>
      <BulkBar />
    </>
  );
}
