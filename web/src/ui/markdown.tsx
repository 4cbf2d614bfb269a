/**
 * Markdown as elements, never as HTML: whatever a card's text holds, nothing of it can become markup or script. The
 * common part of the language: headings, lists, tasks, quotes, code, rules, emphasis, links.
 */
import type { ComponentChildren } from 'preact';
import { inline } from './markdown-inline.tsx';

/** A text longer than this is shown as it is: nobody reads a megabyte of markup. */
const LONGEST = 250_000;
const MAX_DEPTH = 6;

export function Markdown({ text }: { readonly text: string }) {
  if (text.length > LONGEST) return <pre class="plain-text">{text}</pre>;
  return <div class="markdown">{blocks(text.replace(/\r\n?/g, '\n').split('\n'), 0)}</div>;
}

interface Block {
  readonly node: ComponentChildren;
  /** Lines that it took. */
  readonly lines: number;
}

function blocks(lines: readonly string[], depth: number): ComponentChildren[] {
  const nodes: ComponentChildren[] = [];
  for (let at = 0; at < lines.length;) {
    if (lines[at]?.trim() === '') {
      at += 1;
      continue;
    }
    const rest = lines.slice(at);
    const block = fence(rest) ?? heading(rest) ?? rule(rest) ?? quote(rest, depth) ?? list(rest, depth);
    const { node, lines: taken } = block ?? paragraph(rest);
    nodes.push(node);
    at += taken;
  }
  return nodes;
}

function fence(lines: readonly string[]): Block | null {
  const open = /^ {0,3}(```+|~~~+)/.exec(lines[0] ?? '')?.[1];
  if (open === undefined) return null;
  const end = lines.findIndex((line, index) => index > 0 && line.trim().startsWith(open));
  const stop = end === -1 ? lines.length : end;
  const code = lines.slice(1, stop).join('\n');
  return { node: <Code text={code} />, lines: end === -1 ? stop : stop + 1 };
}

/** Scrolls sideways, so it can be reached with the keyboard. */
function Code({ text }: { readonly text: string }) {
  return (
    <pre tabIndex={0}>
      <code>{text}</code>
    </pre>
  );
}

function heading(lines: readonly string[]): Block | null {
  const match = /^(#{1,6})\s+(.*?)\s*#*$/.exec(lines[0] ?? '');
  if (match === null) return null;
  // Below the title of the drawer, which is the second level.
  const level = Math.min(6, (match[1]?.length ?? 1) + 2);
  const Tag = `h${level}` as 'h3' | 'h4' | 'h5' | 'h6';
  return { node: <Tag>{inline(match[2] ?? '')}</Tag>, lines: 1 };
}

function rule(lines: readonly string[]): Block | null {
  return /^ {0,3}([-*_])(?:\s*\1){2,}\s*$/.test(lines[0] ?? '') ? { node: <hr />, lines: 1 } : null;
}

function quote(lines: readonly string[], depth: number): Block | null {
  const end = lines.findIndex((line) => !/^ {0,3}>/.test(line));
  const count = end === -1 ? lines.length : end;
  if (count === 0 || depth >= MAX_DEPTH) return null;
  const inner = lines.slice(0, count).map((line) => line.replace(/^ {0,3}> ?/, ''));
  return { node: <blockquote>{blocks(inner, depth + 1)}</blockquote>, lines: count };
}

const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])\s+(.*)$/;

function list(lines: readonly string[], depth: number): Block | null {
  const first = ITEM.exec(lines[0] ?? '');
  if (first === null || depth >= MAX_DEPTH) return null;
  const ordered = /\d/.test(first[2] ?? '');
  const items: string[][] = [];
  let at = 0;
  for (; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    const item = ITEM.exec(line);
    if (item !== null && /\d/.test(item[2] ?? '') === ordered) items.push([item[3] ?? '']);
    else if (/^\s{2,}\S/.test(line)) items.at(-1)?.push(line.replace(/^ {2,4}/, ''));
    else break;
  }
  const nodes = items.map((item) => <li>{itemOf(item, depth)}</li>);
  return { node: ordered ? <ol>{nodes}</ol> : <ul>{nodes}</ul>, lines: at };
}

function itemOf(item: readonly string[], depth: number): ComponentChildren {
  const [first = '', ...rest] = item;
  const task = /^\[([ xX])\]\s+(.*)$/.exec(first);
  const text = task === null ? first : (task[2] ?? '');
  return (
    <>
      {task === null ? null : <span class="task">{task[1] === ' ' ? '☐ ' : '☑ '}</span>}
      {inline(text)}
      {rest.length === 0 ? null : blocks(rest, depth + 1)}
    </>
  );
}

function paragraph(lines: readonly string[]): Block {
  const starts = (line: string): boolean => /^(#{1,6}\s| {0,3}(```|~~~|>|[-*+]\s|\d+[.)]\s))/.test(line);
  const end = lines.findIndex((line, index) => index > 0 && (line.trim() === '' || starts(line)));
  const count = end === -1 ? lines.length : end;
  return { node: <p>{inline(lines.slice(0, count).join('\n'))}</p>, lines: count };
}
