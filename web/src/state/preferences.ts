/** What a person has chosen in this browser, for every board. */
import { effect, signal, type Signal } from '@preact/signals';
import { local, readStored, writeStored } from './storage.ts';

export type Theme = 'system' | 'light' | 'dark';

function kept<Value extends string | boolean>(
  name: string,
  initial: Value,
): Signal<Value extends boolean ? boolean : Value> {
  type Kept = Value extends boolean ? boolean : Value;
  const key = `leaseboard.${name}`;
  const stored = readStored(local, key);
  const value = signal<Kept>((stored === null ? initial : JSON.parse(stored)) as Kept);
  effect(() => {
    writeStored(local, key, JSON.stringify(value.value));
  });
  return value;
}

export const preferences = {
  theme: kept<Theme>('theme', 'system'),
  /** Cards of a column in groups by who they are for. */
  lanes: kept('lanes', false),
  /** Less of each card, more cards. */
  compact: kept('compact', false),
  markdown: kept('markdown', true),
  /** A completed card is good news, and on a busy board too much of it. */
  tellCompleted: kept('tell-completed', false),
  tellBlocked: kept('tell-blocked', true),
  tellDead: kept('tell-dead', true),
  system: kept('system-notifications', false),
} as const;

/** The stylesheet goes by `color-scheme`; what the system prefers needs no attribute. */
export function followTheme(): void {
  effect(() => {
    const theme = preferences.theme.value;
    if (theme === 'system') delete document.documentElement.dataset['theme'];
    else document.documentElement.dataset['theme'] = theme;
  });
}
