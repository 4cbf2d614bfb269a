/** Which card the keyboard is on, and which one is being moved by the menu. */
import { signal } from '@preact/signals';

export const focusedCard = signal<string | null>(null);
/** Card whose "Move to…" is open. */
export const moving = signal<string | null>(null);
/** The create form is open, for this column. */
export const creating = signal<string | true | null>(null);
export const helpOpen = signal(false);

/** Puts the focus on a card's link once it has been drawn. */
export function focusCard(card: string): void {
  focusedCard.value = card;
  requestAnimationFrame(() => {
    requestAnimationFrame(() => {
      document.querySelector<HTMLElement>(`[data-focus="${CSS.escape(card)}"]`)?.focus();
    });
  });
}
