/** The name of the board, whether it is live, and the ways to look at it. */
import { useEffect, useRef } from 'preact/hooks';
import type { BoardDetail } from '../../../client/types.ts';
import { boardPath, Link, type Route, type View } from '../state/router.tsx';
import { may } from '../state/session.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { useBoard } from './context.ts';
import { statusOf } from './status.ts';
import { now } from '../state/clock.ts';

interface BoardHeaderProps {
  readonly at: Extract<Route, { page: 'board' }>;
  readonly board: BoardDetail;
}

export function BoardHeader({ at, board }: BoardHeaderProps) {
  const tabs = useRef<HTMLElement>(null);
  useEffect(() => {
    // On a phone the row is wider than the screen.
    const open = tabs.current?.querySelector('[aria-current=page]');
    open?.scrollIntoView({ inline: 'nearest', block: 'nearest' });
  }, [at.view]);
  return (
    <header class="board-head">
      <div class="board-title">
        {board.icon === null ? null : <span class="board-icon">{board.icon}</span>}
        <h1>{board.name}</h1>
        <LiveChip />
        {board.archived_at === null ? null : <span class="badge badge-archived">Archived</span>}
      </div>
      <nav ref={tabs} class="tabs" aria-label="Views of this board">
        <Tab at={at} view="board" icon="board" label="Board" />
        <Tab at={at} view="work" icon="pulse" label="In work" count={useCount(['working', 'lost'])} />
        <Tab at={at} view="dead" icon="skull" label="Dead letters" count={useCount(['dead'])} />
        <Tab at={at} view="diagnostics" icon="why" label="Why not running" />
        <Tab at={at} view="activity" icon="list" label="Activity" />
        {may('admin') ? <Tab at={at} view="webhooks" icon="hook" label="Webhooks" /> : null}
      </nav>
    </header>
  );
}

function useCount(statuses: readonly string[]): number {
  const { store } = useBoard();
  return [...store.cards.value.values()].filter(({ card }) => statuses.includes(statusOf(card, now.peek())))
    .length;
}

interface TabProps {
  readonly at: BoardHeaderProps['at'];
  readonly view: View;
  readonly icon: IconName;
  readonly label: string;
  readonly count?: number;
}

function Tab({ at, view, icon, label, count = 0 }: TabProps) {
  return (
    <Link class="tab" to={boardPath(at.slug, view)} aria-current={at.view === view ? 'page' : undefined}>
      <Icon name={icon} />
      <span>{label}</span>
      {count > 0 ? <b class="tab-count">{count}</b> : null}
    </Link>
  );
}

const WORDS = {
  loading: ['Loading', 'The board is being read'],
  live: ['Live', 'What happens shows within two seconds'],
  reconnecting: ['Reconnecting', 'The server does not answer; what you see may be old'],
  'read-only': [
    'Read-only',
    'This token may look and add cards, not follow or change them; read anew every 20 seconds',
  ],
  gone: ['Not available', 'The board is gone, or this token may not see it'],
} as const;

export function LiveChip() {
  const { live } = useBoard();
  const offline = live.status.value === 'reconnecting' && !navigator.onLine;
  const [word, title] = offline ? ['Offline', 'This browser has no connection'] : WORDS[live.status.value];
  return (
    <span class={`live live-${live.status.value}`} role="status" title={live.problem.value ?? title}>
      <span class="live-dot" aria-hidden="true" />
      {word}
    </span>
  );
}
