/** "Move to…": every place that dragging can reach, without dragging. */
import type { CardSummary } from '../../../client/types.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { moveCard, type Target } from './actions.ts';
import type { Shown } from './arrange.ts';
import { useBoard } from './context.ts';
import { focusCard, moving } from './focus.ts';

export function MoveDialog() {
  const { store } = useBoard();
  const card = moving.value === null ? null : store.card(moving.value);
  return card === null ? null : <Places key={card.id} card={card} />;
}

function Places({ card }: { readonly card: CardSummary }) {
  const { store, shown } = useBoard();
  const close = (): void => {
    moving.value = null;
    focusCard(card.id);
  };
  const move = (target: Target): void => {
    moving.value = null;
    void moveCard(store, card, target).then(() => focusCard(card.id));
  };
  return (
    <Dialog title={`Move ${card.key} to…`} onClose={close}>
      <ul class="places">
        {shown.value.map((one) => (
          <li key={one.column.id} class="place">
            <span class="place-name">
              {one.column.name}
              {one.column.id === card.column_id ? <small> where it is</small> : null}
            </span>
            <Ends shown={one} card={card} move={move} />
          </li>
        ))}
      </ul>
    </Dialog>
  );
}

interface EndsProps {
  readonly shown: Shown;
  readonly card: CardSummary;
  readonly move: (target: Target) => void;
}

function Ends({ shown: { column, cards }, card, move }: EndsProps) {
  const at = cards.findIndex(({ id }) => id === card.id);
  const above = cards[at - 1];
  const below = at === -1 ? undefined : cards[at + 1];
  const to =
    (side: Target['side'], beside: string | null = null) =>
    (): void =>
      move({ column, order: cards, beside, side });
  return (
    <span class="place-ends">
      <Button small onClick={to('top')}>
        Top
      </Button>
      {above === undefined ? null : (
        <Button small onClick={to('before', above.id)}>
          Up
        </Button>
      )}
      {below === undefined ? null : (
        <Button small onClick={to('after', below.id)}>
          Down
        </Button>
      )}
      <Button small onClick={to('bottom')}>
        Bottom
      </Button>
    </span>
  );
}
