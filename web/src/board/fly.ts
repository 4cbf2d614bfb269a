/**
 * A card that changes its column is seen to go there: a copy of its tile glides from where it stood to where it
 * stands. For what happens by itself; a person who drags has seen it already.
 */

const GLIDE_MS = 480;
/** More at once are a flock, and nobody follows one bird. */
const MOST = 5;

const tile = (card: string): HTMLElement | null =>
  document.querySelector(`[data-card="${CSS.escape(card)}"]`);

/** Call before the change; what it answers, after it has been drawn. */
export function prepareFlights(cards: readonly string[]): () => void {
  if (cards.length === 0 || matchMedia('(prefers-reduced-motion: reduce)').matches) return () => {};
  const from = cards.slice(0, MOST).flatMap((card) => {
    const element = tile(card);
    if (element === null) return [];
    return [{ card, rect: element.getBoundingClientRect(), copy: element.cloneNode(true) as HTMLElement }];
  });
  return () => {
    for (const { card, rect, copy } of from) fly(card, rect, copy);
  };
}

function fly(card: string, from: DOMRect, copy: HTMLElement): void {
  const target = tile(card);
  if (target === null) return;
  const to = target.getBoundingClientRect();
  if (Math.abs(to.left - from.left) < 8) return;
  delete copy.dataset['card'];
  copy.classList.add('flying');
  copy.setAttribute('aria-hidden', 'true');
  copy.inert = true;
  Object.assign(copy.style, { left: `${from.left}px`, top: `${from.top}px`, width: `${from.width}px` });
  document.body.append(copy);
  target.classList.add('landing');
  const move = `translate(${to.left - from.left}px, ${Math.min(to.top, innerHeight) - from.top}px)`;
  const flight = copy.animate([{ transform: 'none' }, { transform: move }], {
    duration: GLIDE_MS,
    easing: 'cubic-bezier(.2,.8,.2,1)',
  });
  const land = (): void => {
    copy.remove();
    target.classList.remove('landing');
  };
  flight.finished.then(land, land);
}
