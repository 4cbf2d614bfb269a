/** What the card says: text, properties, and what came of it. All of it may have been written by an agent. */
import type { Card } from '../../../client/types.ts';
import { preferences } from '../state/preferences.ts';
import { Json } from '../ui/json.tsx';
import { Markdown } from '../ui/markdown.tsx';

export function CardBody({ card }: { readonly card: Card }) {
  return (
    <>
      {card.body === '' ? null : (
        <section class="card-text">
          <div class="section-head">
            <h3>Description</h3>
            <label class="check">
              <input
                type="checkbox"
                checked={preferences.markdown.value}
                onChange={({ currentTarget }) => {
                  preferences.markdown.value = currentTarget.checked;
                }}
              />
              Rendered
            </label>
          </div>
          <Text text={card.body} />
        </section>
      )}
      {card.summary === null && card.output === null ? null : (
        <section class="card-output">
          <h3>Result</h3>
          {card.summary === null ? null : <Text text={card.summary} />}
          {card.output === null ? null : <Json value={card.output} />}
        </section>
      )}
      {Object.keys(card.properties).length === 0 ? null : (
        <section>
          <h3>Properties</h3>
          <Json value={card.properties} />
        </section>
      )}
      <InputFaults card={card} />
    </>
  );
}

export function Text({ text }: { readonly text: string }) {
  return preferences.markdown.value ? <Markdown text={text} /> : <pre class="plain-text">{text}</pre>;
}

function InputFaults({ card }: { readonly card: Card }) {
  if (card.waiting_on !== 'input' || !Array.isArray(card.waiting_detail)) return null;
  return (
    <section class="faults">
      <h3>Why the input is refused</h3>
      <ul>
        {card.waiting_detail.map((fault) =>
          typeof fault === 'object' && fault !== null && 'message' in fault ? (
            <li key={fault.path}>
              <code>{fault.path || '/'}</code> {fault.message}
            </li>
          ) : null,
        )}
      </ul>
    </section>
  );
}
