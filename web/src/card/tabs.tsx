/** What hangs on a card: comments, runs, links, files, events. */
import { useState } from 'preact/hooks';
import type { Card } from '../../../client/types.ts';
import { Attachments } from './attachments.tsx';
import { Comments } from './comments.tsx';
import { History } from './history.tsx';
import { LinksTab } from './links.tsx';
import { Runs } from './runs.tsx';

const TABS = ['Comments', 'Runs', 'Links', 'Files', 'History'] as const;
type TabName = (typeof TABS)[number];

export interface TabProps {
  readonly card: Card;
  readonly changed: () => void;
}

export function CardTabs({ card, changed }: TabProps) {
  const [tab, setTab] = useState<TabName>('Comments');
  const counts: Partial<Record<TabName, number>> = {
    Comments: card.counts.comments,
    Runs: card.counts.runs,
    Files: card.counts.attachments,
  };
  return (
    <section class="card-tabs">
      <div class="tablist" role="tablist" aria-label="Around this card">
        {TABS.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            id={`tab-${name}`}
            aria-controls="tab-panel"
            aria-selected={tab === name}
            onClick={() => setTab(name)}
          >
            {name}
            {(counts[name] ?? 0) > 0 ? <b>{counts[name]}</b> : null}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${tab}`} tabIndex={0}>
        <Panel tab={tab} card={card} changed={changed} />
      </div>
    </section>
  );
}

function Panel({ tab, card, changed }: TabProps & { readonly tab: TabName }) {
  switch (tab) {
    case 'Comments':
      return <Comments card={card} changed={changed} />;
    case 'Runs':
      return <Runs card={card} />;
    case 'Links':
      return <LinksTab card={card} changed={changed} />;
    case 'Files':
      return <Attachments card={card} changed={changed} />;
    case 'History':
      return <History card={card} />;
  }
}
