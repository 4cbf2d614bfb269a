/** What of the news a person is told beyond the board itself: toasts, the live region, system notifications. */
import type { BoardEvent } from '../../../client/types.ts';
import { plural } from '../state/format.ts';
import { announce, toast, type Tone } from '../state/notices.ts';
import { preferences } from '../state/preferences.ts';
import { boardPath } from '../state/router.tsx';

interface Kind {
  readonly types: readonly string[];
  readonly tone: Tone;
  readonly words: string;
  readonly wanted: () => boolean;
}

const KINDS: readonly Kind[] = [
  {
    types: ['card.lease.deadlettered'],
    tone: 'bad',
    words: 'was dead-lettered',
    wanted: () => preferences.tellDead.value,
  },
  {
    types: ['card.blocked', 'card.block_loop_detected'],
    tone: 'warn',
    words: 'is blocked',
    wanted: () => preferences.tellBlocked.value,
  },
  {
    types: ['card.lease.completed'],
    tone: 'good',
    words: 'is completed',
    wanted: () => preferences.tellCompleted.value,
  },
];

/** Older than this it is history that was just read, and no news. */
const NEWS_MS = 60_000;

export function teller(slug: string): (events: readonly BoardEvent[]) => void {
  const opened = Date.now();
  return (events) => {
    const recent = events.filter(({ timestamp }) => {
      const at = Date.parse(timestamp);
      return at > opened && at > Date.now() - NEWS_MS;
    });
    for (const kind of KINDS) {
      const of = recent.filter(({ type }) => kind.types.includes(type));
      if (of.length > 0) tellOf(slug, kind, of);
    }
  };
}

function tellOf(slug: string, kind: Kind, events: readonly BoardEvent[]): void {
  const [only] = events;
  const card = events.length === 1 ? (only?.data.card ?? null) : null;
  const reason = card?.block?.reason ?? only?.data.run?.error ?? null;
  const text =
    card === null
      ? `${plural(events.length, 'card')}: each ${kind.words}`
      : `${card.key} ${kind.words}${kind.tone !== 'good' && reason !== null ? `: ${reason}` : ''}`;
  announce(text);
  if (!kind.wanted()) return;
  toast(text, kind.tone, card === null ? null : boardPath(slug, 'board', `/cards/${card.id}`));
  notifySystem(text);
}

function notifySystem(text: string): void {
  if (!preferences.system.value || !('Notification' in window)) return;
  if (Notification.permission !== 'granted') return;
  const shown = new Notification('Leaseboard', { body: text, tag: text });
  shown.addEventListener('click', () => window.focus());
}
