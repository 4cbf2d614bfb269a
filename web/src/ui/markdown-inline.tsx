/** The inner part of markdown: code, emphasis, links. Addresses that are no web or mail address stay text. */
import type { ComponentChildren } from 'preact';

const SAFE = new Set(['http:', 'https:', 'mailto:']);
const MAX_DEPTH = 8;

/** Tried at each place in this order; the first that fits is taken. */
const PATTERNS: readonly {
  readonly find: RegExp;
  readonly make: (match: RegExpExecArray, depth: number) => ComponentChildren;
}[] = [
  { find: /^`([^`\n]+)`/, make: (match) => <code>{match[1]}</code> },
  { find: /^\*\*([^*\n]+)\*\*/, make: (match, depth) => <strong>{inline(match[1] ?? '', depth)}</strong> },
  { find: /^\*([^*\s][^*\n]*)\*/, make: (match, depth) => <em>{inline(match[1] ?? '', depth)}</em> },
  { find: /^~~([^~\n]+)~~/, make: (match, depth) => <del>{inline(match[1] ?? '', depth)}</del> },
  {
    find: /^!?\[([^\]\n]{0,500})\]\(([^()\s]{1,2000})\)/,
    make: (match, depth) => link(match[2] ?? '', inline(match[1] ?? '', depth), match[0]),
  },
  { find: /^https?:\/\/[^\s<>()"'`]+[^\s<>()"'`.,;:!?]/, make: ([text]) => link(text, text, text) },
];

/** Where something may begin; all between is text. */
const SPECIAL = /[`*~![]|https?:\/\//g;

export function inline(text: string, depth = 0): ComponentChildren[] {
  if (depth > MAX_DEPTH) return [text];
  const nodes: ComponentChildren[] = [];
  let plain = 0;
  for (let at = next(text, 0); at !== -1;) {
    const made = tryAt(text, at, depth);
    if (made === null) {
      at = next(text, at + 1);
      continue;
    }
    if (at > plain) nodes.push(text.slice(plain, at));
    nodes.push(made.node);
    plain = at + made.length;
    at = next(text, plain);
  }
  if (plain < text.length) nodes.push(text.slice(plain));
  return nodes;
}

function next(text: string, from: number): number {
  SPECIAL.lastIndex = from;
  return SPECIAL.exec(text)?.index ?? -1;
}

/** No pattern is longer than this, so a text without ends costs no more than its length. */
const LONGEST = 3_000;

function tryAt(text: string, at: number, depth: number): { node: ComponentChildren; length: number } | null {
  const rest = text.slice(at, at + LONGEST);
  for (const { find, make } of PATTERNS) {
    const match = find.exec(rest);
    if (match !== null) return { node: make(match, depth + 1), length: match[0].length };
  }
  return null;
}

function link(address: string, label: ComponentChildren, source: string): ComponentChildren {
  const url = URL.parse(address);
  if (url === null || !SAFE.has(url.protocol)) return source;
  return (
    <a href={url.href} target="_blank" rel="noopener noreferrer nofollow">
      {label}
    </a>
  );
}
