/** The time that a lease has left, as a ring that empties. */

const RADIUS = 9;
const LENGTH = 2 * Math.PI * RADIUS;

export function Ring({ part, low }: { readonly part: number; readonly low: boolean }) {
  const left = Math.min(1, Math.max(0, part));
  return (
    <svg class={low ? 'ring ring-low' : 'ring'} width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
      <circle class="ring-track" cx="11" cy="11" r={RADIUS} />
      <circle
        class="ring-left"
        cx="11"
        cy="11"
        r={RADIUS}
        stroke-dasharray={LENGTH}
        stroke-dashoffset={LENGTH * (1 - left)}
      />
    </svg>
  );
}
