/** Who works on what: every lease, the ones that need a look first. */
import type { CardSummary } from '../../../client/types.ts';
import { askToRevoke } from '../board/actions.ts';
import { useBoard } from '../board/context.ts';
import { StatusBadge } from '../board/status-badge.tsx';
import { statusOf, type Status } from '../board/status.ts';
import type { BoardStore } from '../board/store.ts';
import { now } from '../state/clock.ts';
import { ago, duration, plural, secondsSince } from '../state/format.ts';
import { cardPath, Link } from '../state/router.tsx';
import { may } from '../state/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Ring } from '../ui/ring.tsx';
import { Empty, Loading } from '../ui/states.tsx';
import { Progress } from '../board/tile-state.tsx';

/** This long without a heartbeat, as a part of the lease, and a worker may be in trouble. */
const QUIET = 0.66;
/** More cards than this at once, and an agent is doing too many things. */
const OVERLOADED = 5;

export function WorkPage() {
  const { store } = useBoard();
  const held = [...store.cards.value.values()].map(({ card }) => card).filter(({ lease }) => lease !== null);
  if (held.length === 0) {
    if (!store.isRead) return <Loading what="leases" />;
    return (
      <Empty icon="pulse" title="Nobody is working just now">
        <p>Cards that workers claim show here, with their time, heartbeat and progress.</p>
      </Empty>
    );
  }
  const rows = held
    .map((card) => ({ card, health: healthOf(store, card, now.value) }))
    .toSorted(
      (a, b) =>
        ORDER[a.health] - ORDER[b.health] ||
        (a.card.lease?.agent ?? '').localeCompare(b.card.lease?.agent ?? '', undefined, { numeric: true }),
    );
  const perAgent = new Map<string, number>();
  for (const { lease } of held) perAgent.set(lease?.agent ?? '', (perAgent.get(lease?.agent ?? '') ?? 0) + 1);
  const lost = rows.filter(({ health }) => health === 'lost').length;
  return (
    <div class="list-page">
      <p class="page-summary">
        <strong>{plural(perAgent.size, 'agent')}</strong> on <strong>{plural(held.length, 'card')}</strong>
        {lost > 0 ? (
          <span class="why-lost"> · {plural(lost, 'worker')} lost</span>
        ) : (
          ' · all of them heard from'
        )}
      </p>
      <ul class="work-list">
        {rows.map(({ card, health }) => (
          <WorkRow
            key={card.id}
            card={card}
            health={health}
            overloaded={(perAgent.get(card.lease?.agent ?? '') ?? 0) > OVERLOADED}
          />
        ))}
      </ul>
    </div>
  );
}

type Health = 'lost' | 'quiet' | 'well';
const ORDER: Readonly<Record<Health, number>> = { lost: 0, quiet: 1, well: 2 };

function ttlOf(store: BoardStore, card: CardSummary): number {
  return store.column(card.column_id)?.contract.lease_ttl_seconds ?? 1;
}

function healthOf(store: BoardStore, card: CardSummary, time: number): Health {
  if (statusOf(card, time) === 'lost') return 'lost';
  const left = (Date.parse(card.lease?.expires_at ?? '') - time) / 1_000;
  return left < ttlOf(store, card) * (1 - QUIET) ? 'quiet' : 'well';
}

interface WorkRowProps {
  readonly card: CardSummary;
  readonly health: Health;
  readonly overloaded: boolean;
}

function WorkRow({ card, health, overloaded }: WorkRowProps) {
  const { store } = useBoard();
  const { lease } = card;
  if (lease === null) return null;
  const left = (Date.parse(lease.expires_at) - now.value) / 1_000;
  const status: Status = health === 'lost' ? 'lost' : 'working';
  return (
    <li class={`work-row work-${health}`}>
      <div class="work-who">
        <Avatar name={lease.agent} />
        <div>
          <strong>{lease.agent}</strong>
          {overloaded ? <span class="chip chip-warn">overloaded</span> : null}
          <p class="faint">{store.column(card.column_id)?.name}</p>
        </div>
      </div>
      <div class="work-what">
        <Link to={cardPath(store.slug, card.id)}>
          <span class="key">{card.key}</span> {card.title}
        </Link>
        <Progress value={lease.progress} note={lease.note} />
      </div>
      <div class="work-how">
        <StatusBadge status={status} />
        <span class="left">
          <Ring part={left / ttlOf(store, card)} low={health !== 'well'} />
          {left > 0 ? `${duration(left)} left` : `over since ${duration(-left)}`}
        </span>
        <span class="faint">
          heard {ago(lease.heartbeat_at ?? lease.claimed_at, now.value)} · attempt {lease.attempt}/
          {store.mostAttempts(card)} · {duration(secondsSince(lease.claimed_at, now.value))}
        </span>
      </div>
      {may('member') ? (
        <Button small onClick={() => void takeBack(store, card)}>
          Take back
        </Button>
      ) : null}
    </li>
  );
}

async function takeBack(store: BoardStore, card: CardSummary): Promise<void> {
  const forced = await askToRevoke(card, 'Taking it back to its queue');
  if (forced === null) return;
  await store.act(card.id, `${card.key} was not taken back`, { lease: null, state: 'ready' }, async () =>
    store.client.cards.reclaim(card.id, forced.reason),
  );
}
