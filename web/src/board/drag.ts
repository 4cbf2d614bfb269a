/** Dragging cards: what may be picked up, where it may be put, and the line that shows where it would go. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine';
import {
  draggable,
  dropTargetForElements,
  monitorForElements,
} from '@atlaskit/pragmatic-drag-and-drop/element/adapter';
import { signal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useEffect } from 'preact/hooks';

export interface DropPlace {
  readonly column: string;
  readonly beside: string | null;
  readonly side: 'before' | 'after' | 'bottom';
}

/** Card in the air, and where it would land. */
export const dragged = signal<string | null>(null);
export const dropPlace = signal<DropPlace | null>(null);

export function useDraggable(element: RefObject<HTMLElement | null>, card: string, column: string): void {
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    return combine(
      draggable({ element: target, getInitialData: () => ({ card }) }),
      dropTargetForElements({
        element: target,
        canDrop: ({ source }) => source.data['card'] !== card,
        getData: ({ input, element: over }) => {
          const { top, height } = over.getBoundingClientRect();
          return { column, beside: card, side: input.clientY < top + height / 2 ? 'before' : 'after' };
        },
      }),
    );
  }, [card, column]);
}

export function useDropColumn(element: RefObject<HTMLElement | null>, column: string): void {
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    return dropTargetForElements({
      element: target,
      getData: () => ({ column, beside: null, side: 'bottom' }),
    });
  }, [column]);
}

/** Follows a drag over the whole board; `drop` is told where a card was let go. */
export function useDragMonitor(drop: (card: string, place: DropPlace) => void): void {
  useEffect(
    () =>
      monitorForElements({
        onDragStart: ({ source }) => {
          dragged.value = String(source.data['card']);
        },
        onDrag: ({ location }) => show(placeAt(location.current.dropTargets[0]?.data)),
        onDropTargetChange: ({ location }) => show(placeAt(location.current.dropTargets[0]?.data)),
        onDrop: ({ source, location }) => {
          const place = placeAt(location.current.dropTargets[0]?.data);
          dragged.value = null;
          dropPlace.value = null;
          if (place !== null) drop(String(source.data['card']), place);
        },
      }),
    [drop],
  );
}

function placeAt(data: Readonly<Record<string | symbol, unknown>> | undefined): DropPlace | null {
  if (data === undefined || typeof data['column'] !== 'string') return null;
  const { column, beside, side } = data;
  const known = side === 'before' || side === 'after' ? side : 'bottom';
  return { column, beside: typeof beside === 'string' ? beside : null, side: known };
}

/** Fires at every move of the pointer; only a new place redraws. */
function show(place: DropPlace | null): void {
  const shown = dropPlace.peek();
  if (shown?.column === place?.column && shown?.beside === place?.beside && shown?.side === place?.side)
    return;
  dropPlace.value = place;
}
