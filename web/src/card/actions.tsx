/** What a person can do to a card, by how it stands. The server has the last word, and its sentence is shown. */
import type { Card, CardSummary } from '../../../client/types.ts';
import { archive, askToRevoke, holds, redrive } from '../board/actions.ts';
import { useBoard } from '../board/context.ts';
import { moving } from '../board/focus.ts';
import type { Status } from '../board/status.ts';
import type { BoardStore } from '../board/store.ts';
import { boardPath, go } from '../state/router.tsx';
import { may } from '../state/session.ts';
import { Button, type Kind } from '../ui/button.tsx';
import { ask } from '../ui/dialog.tsx';
import type { IconName } from '../ui/icon.tsx';

interface Action {
  readonly label: string;
  readonly icon: IconName;
  readonly kind?: Kind;
  readonly when: boolean;
  readonly run: () => Promise<unknown>;
}

interface CardActionsProps {
  readonly card: Card;
  readonly status: Status;
  readonly changed: () => void;
}

export function CardActions({ card, status, changed }: CardActionsProps) {
  const { store } = useBoard();
  const role = store.column(card.column_id)?.role ?? 'plain';
  const actions = [...helping(store, card, status, role), ...steering(store, card, status)].filter(
    ({ when }) => when,
  );
  return (
    <div class="actions" role="toolbar" aria-label={`Actions for ${card.key}`}>
      {actions.map(({ label, icon, kind, run }) => (
        <Button key={label} small icon={icon} kind={kind ?? 'plain'} onClick={() => void run().then(changed)}>
          {label}
        </Button>
      ))}
    </div>
  );
}

/** What gets a card going, or ends it well: these come first. */
function helping(store: BoardStore, card: Card, status: Status, role: string): readonly Action[] {
  const { cards } = store.client;
  const open = !['done', 'archived', 'working', 'lost'].includes(status);
  const act = async (what: string, guess: Partial<CardSummary>, call: () => Promise<Card>) =>
    store.act(card.id, `${card.key}: ${what} was refused`, guess, call);
  return [
    {
      label: 'Redrive',
      icon: 'back',
      kind: 'primary',
      when: status === 'dead',
      run: async () => redrive(store, card),
    },
    {
      label: 'Unblock',
      icon: 'play',
      kind: 'primary',
      when: status === 'blocked',
      run: async () => act('unblocking', {}, async () => cards.unblock(card.id)),
    },
    {
      label: 'Let go',
      icon: 'play',
      kind: 'primary',
      when: card.hold,
      run: async () => act('letting go', { hold: false }, async () => cards.unhold(card.id)),
    },
    {
      label: 'Publish',
      icon: 'play',
      kind: 'primary',
      when: card.draft,
      run: async () =>
        act('publishing', { draft: false }, async () => cards.update(card.id, { draft: false })),
    },
    {
      label: card.waiting_on === 'backoff' ? 'Try now' : 'Promote',
      icon: 'play',
      when: status === 'idle' || (status === 'waiting' && card.waiting_on === 'backoff'),
      run: async () => act('promoting', {}, async () => cards.promote(card.id)),
    },
    {
      label: role === 'review' ? 'Approve' : 'Complete',
      icon: 'check',
      kind: role === 'review' ? 'primary' : 'plain',
      when: open,
      run: async () => completeByHand(store, card, role),
    },
    {
      label: 'Request changes',
      icon: 'back',
      when: role === 'review' && open,
      run: async () => requestChanges(store, card),
    },
    {
      label: 'Reopen',
      icon: 'back',
      when: status === 'done',
      run: async () => act('reopening', {}, async () => cards.reopen(card.id)),
    },
    {
      label: 'Unarchive',
      icon: 'back',
      kind: 'primary',
      when: status === 'archived',
      run: async () => act('unarchiving', {}, async () => cards.unarchive(card.id)),
    },
  ];
}

function steering(store: BoardStore, card: Card, status: Status): readonly Action[] {
  const { cards } = store.client;
  const held = status === 'working' || status === 'lost';
  const over = status === 'done' || status === 'archived';
  return [
    {
      label: 'Ask to stop',
      icon: 'hand',
      when: status === 'working' && card.cancel_requested === null,
      run: async () => requestCancel(store, card),
    },
    { label: 'Take back', icon: 'back', kind: 'danger', when: held, run: async () => reclaim(store, card) },
    {
      label: 'Move to…',
      icon: 'move',
      when: status !== 'archived',
      run: async () => {
        moving.value = card.id;
      },
    },
    {
      label: 'Block',
      icon: 'stop',
      when: !over && !held && status !== 'blocked',
      run: async () => block(store, card),
    },
    {
      label: 'Hold',
      icon: 'pause',
      when: !over && !held && !card.hold,
      run: async () =>
        store.act(card.id, `${card.key} was not held`, { hold: true }, async () => cards.hold(card.id)),
    },
    { label: 'Archive', icon: 'archive', when: status !== 'archived', run: async () => archive(store, card) },
    {
      label: 'Delete',
      icon: 'trash',
      kind: 'danger',
      when: status === 'archived' && may('member'),
      run: async () => remove(store, card),
    },
  ];
}

async function completeByHand(store: BoardStore, card: Card, role: string): Promise<void> {
  const summary = await ask({
    title: role === 'review' ? `Approve ${card.key}?` : `Complete ${card.key} by hand?`,
    text: 'It counts as done, and cards that wait for it become ready.',
    confirm: role === 'review' ? 'Approve' : 'Complete',
    reason: 'Summary, handed to the cards that follow',
    reasonOptional: true,
  });
  if (summary === null) return;
  await store.act(card.id, `${card.key} was not completed`, {}, async () =>
    store.client.cards.complete(card.id, summary === '' ? {} : { summary }),
  );
}

/** A reviewer's verb needs a lease, so the board claims the card for the moment that it takes to send it back. */
async function requestChanges(store: BoardStore, card: Card): Promise<void> {
  const reason = await ask({
    title: `Request changes to ${card.key}`,
    text: 'It goes back to the column it came from, to the agent that did it. No attempt is spent.',
    confirm: 'Request changes',
    reason: 'What has to change',
  });
  if (reason === null) return;
  await store.act(card.id, `${card.key} was not sent back`, {}, async () => {
    const { lease_id, lease_token } = await store.client.cards.claim(card.id);
    const answer = await store.client.leases.requestChanges(lease_id, { lease_token, reason });
    return answer.card;
  });
}

async function requestCancel(store: BoardStore, card: Card): Promise<void> {
  const reason = await ask({
    title: `Ask ${card.lease?.agent ?? 'the worker'} to stop?`,
    text: 'It hears of it at its next heartbeat, and decides how to end. Nothing is revoked.',
    confirm: 'Ask to stop',
    reason: 'Reason',
  });
  if (reason === null) return;
  await store.act(card.id, `${card.key}: asking was refused`, {}, async () =>
    store.client.cards.requestCancel(card.id, reason),
  );
}

async function reclaim(store: BoardStore, card: Card): Promise<void> {
  const reason = await ask({
    title: `Take ${card.key} back from ${card.lease?.agent ?? 'its worker'}?`,
    text: 'The lease ends at once and the card goes back to its queue. The attempt stays used.',
    confirm: 'Take it back',
    kind: 'danger',
    reason: 'Reason, for the worker and the record',
  });
  if (reason === null) return;
  await store.act(card.id, `${card.key} was not taken back`, { lease: null, state: 'ready' }, async () =>
    store.client.cards.reclaim(card.id, reason),
  );
}

async function block(store: BoardStore, card: Card): Promise<void> {
  const reason = await ask({
    title: `Block ${card.key}`,
    text: 'It is offered to nobody until somebody unblocks it.',
    confirm: 'Block',
    reason: 'What is missing, for whoever is to help',
  });
  if (reason === null) return;
  await store.act(card.id, `${card.key} was not blocked`, {}, async () =>
    store.client.cards.block(card.id, { reason }),
  );
}

async function remove(store: BoardStore, card: Card): Promise<void> {
  const forced = holds(card) ? await askToRevoke(card, 'Deleting it') : {};
  if (forced === null) return;
  const sure = await ask({
    title: `Delete ${card.key} for good?`,
    text: 'Its text, runs, comments and files are gone. This cannot be undone.',
    confirm: 'Delete',
    kind: 'danger',
  });
  if (sure === null) return;
  await store.act(card.id, `${card.key} was not deleted`, {}, async () => {
    await store.client.cards.delete(card.id, forced);
  });
  store.drop(card.id);
  go(boardPath(store.slug));
}
