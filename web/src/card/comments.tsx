/** What people and agents say about a card. */
import { useState } from 'preact/hooks';
import { now } from '../state/clock.ts';
import { useDraft } from '../state/draft.ts';
import { ago } from '../state/format.ts';
import { tellError } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';
import { Avatar } from '../ui/avatar.tsx';
import { Button } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import { Text } from './body.tsx';
import type { TabProps } from './tabs.tsx';

const PAGE = 100;

export function Comments({ card }: TabProps) {
  const key = `${card.id} ${card.counts.comments}`;
  const { value, error, reload } = useResource(key, async () =>
    api().comments.list(card.id, { limit: PAGE }),
  );
  if (error !== null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="comments" />;
  return (
    <>
      {value.items.length === 0 ? <p class="faint">Nobody has said anything yet.</p> : null}
      <ol class="comments">
        {value.items.map((comment) => (
          <li key={comment.id} class="comment">
            <Avatar name={comment.author} />
            <div>
              <p class="comment-head">
                <strong>{comment.author}</strong>{' '}
                <span class="faint">{ago(comment.created_at, now.value)}</span>
              </p>
              <Text text={comment.body} />
            </div>
          </li>
        ))}
      </ol>
      <CommentForm card={card.id} sent={reload} />
    </>
  );
}

function CommentForm({ card, sent }: { readonly card: string; readonly sent: () => void }) {
  const { value: text, set: setText, drop } = useDraft(`comment ${card}`, () => '');
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setBusy(true);
    try {
      await api().comments.create(card, text);
      setText('');
      drop();
      sent();
    } catch (error) {
      tellError('The comment was not sent', error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      class="comment-form"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <textarea
        rows={2}
        aria-label="Comment"
        placeholder="Comment. A worker hears of it at its next heartbeat."
        value={text}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && text.trim() !== '') void send();
        }}
      />
      <Button submit small kind="primary" disabled={busy || text.trim() === ''}>
        Send
      </Button>
    </form>
  );
}
