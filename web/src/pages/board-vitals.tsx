/** How a board fares, in a line: enough to know which one to open. */
import type { CardState } from '../../../client/types.ts';
import { useResource } from '../state/resource.ts';
import { api } from '../state/session.ts';

const SHOWN: readonly (readonly [state: CardState, word: string])[] = [
  ['leased', 'in work'],
  ['ready', 'ready'],
  ['blocked', 'blocked'],
  ['dead', 'dead'],
  ['done', 'done'],
];

export function BoardVitals({ slug }: { readonly slug: string }) {
  const { value } = useResource(`vitals ${slug}`, async () => api().boards.get(slug));
  if (value === null) return <span class="vitals">&nbsp;</span>;
  return (
    <span class="vitals">
      {SHOWN.map(([state, word]) => {
        const count = value.counts[state] ?? 0;
        return count === 0 ? null : (
          <span key={state} class={`vital vital-${state}`}>
            {count.toLocaleString()} {word}
          </span>
        );
      })}
    </span>
  );
}
