/** One card in full, beside the board. Its address names it, so it can be sent to somebody. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Card } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { focusCard } from '../board/focus.ts';
import { StatusBadge } from '../board/status-badge.tsx';
import { sentenceOf, statusOf } from '../board/status.ts';
import { now } from '../state/clock.ts';
import { boardPath, go, route } from '../state/router.tsx';
import { may } from '../state/session.ts';
import { useResource } from '../state/resource.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { CardActions } from './actions.tsx';
import { CardBody } from './body.tsx';
import { EditForm } from './edit-form.tsx';
import { Facts } from './facts.tsx';
import { Holder } from './holder.tsx';
import { CardTabs } from './tabs.tsx';

export function CardDrawer({ id }: { readonly id: string }) {
  const { store } = useBoard();
  const summary = store.cards.value.get(id);
  // Anew with each event of the card, and not with each heartbeat.
  const version = `${id} ${summary?.sequence ?? 0} ${summary?.card.rev ?? 0} ${summary?.card.updated_at ?? ''}`;
  const { value, error, reload } = useResource<Card>(version, async () => store.client.cards.get(id));
  const [editing, setEditing] = useState(false);
  // Deleted by somebody while it was open: nothing on it works any more. What is being written stays, to be copied.
  const shown = error !== null && summary === undefined && !editing ? null : value;
  const panel = useRef<HTMLElement>(null);
  useEffect(() => {
    panel.current?.focus();
  }, [id]);
  return (
    <aside
      ref={panel}
      class="drawer"
      aria-label={value === null ? 'Card' : `Card ${value.key}`}
      tabIndex={-1}
    >
      {shown === null ? (
        <div class="drawer-head">
          <span class="spring" />
          <IconButton icon="close" name="Close card" onClick={() => close(id)} />
        </div>
      ) : null}
      {value === null && error === null ? <Loading what="the card" /> : null}
      {error !== null && shown === null ? <Failed error={error} retry={reload} /> : null}
      {shown === null ? null : editing ? (
        <EditForm card={shown} done={() => setEditing(false)} reload={reload} />
      ) : (
        <CardDetail
          card={
            summary === undefined ? shown : { ...shown, lease: summary.card.lease, state: summary.card.state }
          }
          edit={() => setEditing(true)}
          reload={reload}
        />
      )}
    </aside>
  );
}

function close(id: string): void {
  const at = route.value;
  if (at.page === 'board') go(boardPath(at.slug, at.view));
  focusCard(id);
}

interface CardDetailProps {
  readonly card: Card;
  readonly edit: () => void;
  readonly reload: () => void;
}

function CardDetail({ card, edit, reload }: CardDetailProps) {
  const { store } = useBoard();
  const status = statusOf(card, now.value);
  const sentence = sentenceOf(card, status, now.value, store.mostAttempts(card));
  return (
    <>
      <header class="drawer-head">
        <span class="key">{card.key}</span>
        <StatusBadge status={status} />
        <span class="drawer-column">{store.column(card.column_id)?.name}</span>
        <span class="spring" />
        {may('member') ? (
          <Button small icon="pencil" onClick={edit}>
            Edit
          </Button>
        ) : null}
        <IconButton icon="close" name="Close card" onClick={() => close(card.id)} />
      </header>
      <div class="drawer-body">
        <h2 class="drawer-title">{card.title}</h2>
        {sentence === '' ? null : <p class={`drawer-why why-${status}`}>{sentence}</p>}
        <Holder card={card} status={status} />
        {may('member') ? <CardActions card={card} status={status} changed={reload} /> : null}
        <CardBody card={card} />
        <Facts card={card} />
        <CardTabs card={card} changed={reload} />
      </div>
    </>
  );
}
