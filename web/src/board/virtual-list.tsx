/**
 * A list that makes only the rows which can be seen. Rows have the heights that they have: measured once shown,
 * estimated before. The browser's own scroll anchoring keeps the view still when an estimate was wrong.
 */
import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/** Rows beyond the edges, so that a flick of the wheel meets cards and no gap. */
const OVERSCAN_PX = 400;
const FIRST_VIEW_PX = 900;
/** Shorter lists are made whole: it is cheaper than to measure, and the browser's own search finds everything. */
const SHORT = 24;

interface VirtualListProps<Item> {
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly estimate: (item: Item) => number;
  readonly render: (item: Item, index: number) => ComponentChildren;
  readonly gap: number;
  readonly name: string;
  /** Row that has to be shown now, say because the keyboard is on it. */
  readonly wanted: string | null;
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly before: number;
  readonly after: number;
}

export function VirtualList<Item>(props: VirtualListProps<Item>) {
  const { items, keyOf, render, gap, name, wanted } = props;
  const scroller = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const [view, setView] = useState({ top: 0, height: FIRST_VIEW_PX });
  const sizes = items.map((item) => (heights.current.get(keyOf(item)) ?? props.estimate(item)) + gap);
  const shown = items.length <= SHORT ? whole(items.length) : windowOf(sizes, view.top, view.height);
  useViewport(scroller, setView);
  const list = useMeasured(heights, setView);
  useWanted(
    scroller,
    sizes,
    items.findIndex((item) => keyOf(item) === wanted),
    wanted,
  );
  return (
    <div class="scroller" ref={scroller}>
      <ol
        ref={list}
        class="cards"
        aria-label={name}
        style={{ paddingTop: `${shown.before}px`, paddingBottom: `${shown.after}px` }}
      >
        {items.slice(shown.from, shown.to).map((item, index) => (
          <li
            key={keyOf(item)}
            data-row={keyOf(item)}
            style={{ marginBottom: `${gap}px` }}
            aria-setsize={items.length}
            aria-posinset={shown.from + index + 1}
          >
            {render(item, shown.from + index)}
          </li>
        ))}
      </ol>
    </div>
  );
}

function whole(count: number): Window {
  return { from: 0, to: count, before: 0, after: 0 };
}

function windowOf(sizes: readonly number[], top: number, height: number): Window {
  let from = 0;
  let before = 0;
  while (from < sizes.length && before + (sizes[from] ?? 0) < top - OVERSCAN_PX) before += sizes[from++] ?? 0;
  let to = from;
  let end = before;
  while (to < sizes.length && end < top + height + OVERSCAN_PX) end += sizes[to++] ?? 0;
  let after = 0;
  for (let at = to; at < sizes.length; at += 1) after += sizes[at] ?? 0;
  return { from, to, before, after };
}

type SetView = (change: (view: { top: number; height: number }) => { top: number; height: number }) => void;

/** Steps of scrolling that change the window; in between nothing is made anew. */
const STEP_PX = 120;

function useViewport(scroller: RefObject<HTMLDivElement | null>, setView: SetView): void {
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const read = (): void => {
      const top = Math.floor(element.scrollTop / STEP_PX) * STEP_PX;
      const height = element.clientHeight;
      setView((view) => (view.top === top && view.height === height ? view : { top, height }));
    };
    const resized = new ResizeObserver(read);
    resized.observe(element);
    element.addEventListener('scroll', read, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener('scroll', read);
    };
  }, []);
}

function useMeasured(
  heights: RefObject<Map<string, number>>,
  setView: SetView,
): RefObject<HTMLOListElement | null> {
  const list = useRef<HTMLOListElement>(null);
  const observer = useRef<ResizeObserver | null>(null);
  useLayoutEffect(() => {
    observer.current = new ResizeObserver((entries) => {
      let changed = false;
      for (const { target, contentRect } of entries) {
        const key = (target as HTMLElement).dataset['row'];
        if (key === undefined || contentRect.height === 0 || heights.current?.get(key) === contentRect.height)
          continue;
        heights.current?.set(key, contentRect.height);
        changed = true;
      }
      if (changed) setView((view) => ({ ...view }));
    });
    return () => observer.current?.disconnect();
  }, []);
  const watched = useRef(new Set<Element>());
  useLayoutEffect(() => {
    const rows = new Set<Element>(list.current?.children ?? []);
    for (const row of watched.current) if (!rows.has(row)) observer.current?.unobserve(row);
    for (const row of rows) if (!watched.current.has(row)) observer.current?.observe(row);
    watched.current = rows;
  });
  return list;
}

function useWanted(
  scroller: RefObject<HTMLDivElement | null>,
  sizes: readonly number[],
  index: number,
  wanted: string | null,
): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null || wanted === null || index === -1) return;
    const top = sizes.slice(0, index).reduce((sum, size) => sum + size, 0);
    const bottom = top + (sizes[index] ?? 0);
    if (top < element.scrollTop) element.scrollTop = top;
    else if (bottom > element.scrollTop + element.clientHeight)
      element.scrollTop = bottom - element.clientHeight;
  }, [wanted]);
}
