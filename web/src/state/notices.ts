/** Short messages to the person: toasts, and the live region that a screen reader reads out. */
import { signal } from '@preact/signals';
import { LeaseboardError } from '../../../client/errors.ts';
import { endedBy } from './session.ts';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

export interface Toast {
  readonly id: number;
  readonly tone: Tone;
  readonly text: string;
  readonly to: string | null;
}

/** Long enough to read two lines; an error stays half as long again. */
const SHOWN_MS = 6_000;
const MOST = 4;

let lastId = 0;
export const toasts = signal<readonly Toast[]>([]);
export const announcement = signal('');

export function toast(text: string, tone: Tone = 'plain', to: string | null = null): void {
  lastId += 1;
  const id = lastId;
  toasts.value = [...toasts.value, { id, tone, text, to }].slice(-MOST);
  setTimeout(() => dismiss(id), tone === 'bad' ? SHOWN_MS * 1.5 : SHOWN_MS);
}

export function dismiss(id: number): void {
  toasts.value = toasts.value.filter((one) => one.id !== id);
}

export function announce(text: string): void {
  announcement.value = text;
}

/** The server's own sentence, which says what was wrong and what to do. */
export function reasonOf(error: unknown): string {
  if (error instanceof LeaseboardError) {
    const faults = (error.problem?.errors ?? []).map(({ path, message }) => `${path || 'body'}: ${message}`);
    return [error.message, ...faults].join(' · ');
  }
  return error instanceof Error ? error.message : String(error);
}

export function tellError(what: string, error: unknown): void {
  if (endedBy(error)) return;
  const text = `${what}: ${reasonOf(error)}`;
  toast(text, 'bad');
}
