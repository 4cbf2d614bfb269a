/** Which cards this one waits for, and which wait for it. */
import { useState } from 'preact/hooks';
import type { CardSummary, LinkInput } from '../../../client/types.ts';
import { useBoard } from '../board/context.ts';
import { StatusBadge } from '../board/status-badge.tsx';
import { statusOf } from '../board/status.ts';
import { now } from '../state/clock.ts';
import { tellError } from '../state/notices.ts';
import { useResource } from '../state/resource.ts';
import { cardPath, Link } from '../state/router.tsx';
import { api, may } from '../state/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Failed, Loading } from '../ui/states.tsx';
import type { TabProps } from './tabs.tsx';

export function LinksTab({ card, changed }: TabProps) {
  // Anew with each change of the card: somebody else may have linked it.
  const key = `${card.id} ${card.rev} ${card.updated_at}`;
  const { value, error, reload } = useResource(key, async () => api().links.list(card.id));
  const change = async (what: string, call: () => Promise<unknown>): Promise<void> => {
    try {
      await call();
      reload();
      changed();
    } catch (failure) {
      tellError(what, failure);
    }
  };
  if (error !== null && value === null) return <Failed error={error} retry={reload} />;
  if (value === null) return <Loading what="links" />;
  const unlink = (link: LinkInput): void =>
    void change('The link was not removed', async () => api().links.delete(card.id, link));
  return (
    <div class="stack">
      <h4>Waits for</h4>
      <Linked cards={value.parents} unlink={(id) => unlink({ parent_id: id })} />
      <h4>Wait for it</h4>
      <Linked cards={value.children} unlink={(id) => unlink({ child_id: id })} />
      {may('member') ? (
        <LinkForm
          exclude={card.id}
          add={(link) => void change('The link was not made', async () => api().links.create(card.id, link))}
        />
      ) : null}
    </div>
  );
}

interface LinkedProps {
  readonly cards: readonly CardSummary[];
  readonly unlink: (id: string) => void;
}

function Linked({ cards, unlink }: LinkedProps) {
  const { store } = useBoard();
  if (cards.length === 0) return <p class="faint">No card</p>;
  return (
    <ul class="linked">
      {cards
        .map((listed) => store.card(listed.id) ?? listed)
        .map((card) => (
          <li key={card.id}>
            <StatusBadge status={statusOf(card, now.value)} />
            <Link to={cardPath(store.slug, card.id)}>
              {card.key} {card.title}
            </Link>
            {may('member') ? (
              <IconButton
                icon="close"
                name={`Remove the link to ${card.key}`}
                onClick={() => unlink(card.id)}
              />
            ) : null}
          </li>
        ))}
    </ul>
  );
}

/** What a person would write: a key such as DEMO-12. */
function LinkForm({ exclude, add }: { readonly exclude: string; readonly add: (link: LinkInput) => void }) {
  const { store } = useBoard();
  const [key, setKey] = useState('');
  const [side, setSide] = useState<'parent' | 'child'>('parent');
  const cards = [...store.cards.value.values()].map(({ card }) => card);
  const found = cards.find((card) => card.key.toLowerCase() === key.trim().toLowerCase());
  const wrong = key.trim() === '' ? null : whyNot(found, exclude);
  return (
    <form
      class="link-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (found === undefined || wrong !== null) return;
        add(side === 'parent' ? { parent_id: found.id } : { child_id: found.id });
        setKey('');
      }}
    >
      <select
        aria-label="Kind of link"
        value={side}
        onChange={({ currentTarget }) => setSide(currentTarget.value === 'child' ? 'child' : 'parent')}
      >
        <option value="parent">Waits for</option>
        <option value="child">Is waited for by</option>
      </select>
      <input
        aria-label="Key of the other card"
        placeholder="Key, such as DEMO-12"
        value={key}
        onInput={({ currentTarget }) => setKey(currentTarget.value)}
      />
      <Button submit small disabled={found === undefined || wrong !== null}>
        Link
      </Button>
      <p class="faint" role="status">
        {wrong ?? found?.title ?? ''}
      </p>
    </form>
  );
}

function whyNot(found: CardSummary | undefined, self: string): string | null {
  if (found === undefined) return 'No card that is shown on this board has this key.';
  return found.id === self ? 'A card cannot wait for itself.' : null;
}
