/** Names that a comment calls: `@name` in its prose. What stands in code is no call, nor is an address. */

/** Enough for any thread; a comment that calls more people than this calls nobody in particular. */
const MENTIONS_MAX = 50;
/** As an agent's name may be, beginning with a letter or a digit; not within a word, as in an e-mail address. */
const MENTION = /(?<![A-Za-z0-9._:/@`-])@([A-Za-z0-9][A-Za-z0-9._:/@-]{0,127})/g;
/** A sentence's end is no part of a name. */
const TRAILING = /[.:/@-]+$/;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** Each name once, in the order in which they are called. */
export function mentionsIn(markdown: string): string[] {
  const names = new Set<string>();
  for (const [, name = ''] of prose(markdown).matchAll(MENTION)) {
    if (names.size >= MENTIONS_MAX) break;
    names.add(name.replace(TRAILING, ''));
  }
  return [...names];
}

/** The text without fenced blocks and code spans. */
function prose(markdown: string): string {
  const lines: string[] = [];
  let fence: string | null = null;
  for (const line of markdown.split('\n')) {
    const mark: string | undefined = FENCE.exec(line)?.[1];
    if (fence === null && mark === undefined) lines.push(line);
    else if (fence === null) fence = mark ?? null;
    else if (mark !== undefined && closes(mark, fence)) fence = null;
  }
  return withoutSpans(lines.join('\n'));
}

const closes = (mark: string, fence: string): boolean =>
  mark.startsWith(fence.charAt(0)) && mark.length >= fence.length;

/** A span ends at as many backticks as it began with; without such an end they are plain text. */
function withoutSpans(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: ticks, index }) => ({ length: ticks.length, index }));
  /** By their number, latest first: each is looked at once, however many there are. */
  const ends = Map.groupBy(runs.toReversed(), ({ length }) => length);
  let out = '';
  let at = 0;
  for (const { length, index } of runs) {
    if (index < at) continue;
    const later = ends.get(length) ?? [];
    while ((later.at(-1)?.index ?? Infinity) <= index) later.pop();
    const end = later.at(-1)?.index;
    if (end === undefined) continue;
    out += `${text.slice(at, index)}\``;
    at = end + length;
  }
  return out + text.slice(at);
}
