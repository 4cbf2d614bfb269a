/** Under which heading a card stands that is not on offer, by why. */

/** Worst first. What is in work is no trouble, and comes last. */
const GROUPS: readonly (readonly [title: string, codes: readonly string[]])[] = [
  [
    'Needs a person',
    [
      'dead',
      'blocked',
      'input_invalid',
      'parent_dead',
      'parent_archived',
      'parent_gone',
      'container_empty',
      'four_eyes',
      'corrupt',
    ],
  ],
  ['Held back on purpose', ['draft', 'on_hold', 'column_paused', 'not_in_a_queue', 'board_archived']],
  ['Waits for room', ['column_full', 'board_full', 'assignee_full']],
  ['Waits for other cards', ['parents_open', 'container_open']],
  ['Waits for a time', ['scheduled', 'backing_off']],
  ['In work', ['held']],
];
/** A server that is newer than this page knows more reasons: its sentence says what they are. */
const OTHERS = 'Other reasons';

/** Nothing but a person moves these on; the others come and go by themselves, on a busy board all the time. */
const STILL = new Set(GROUPS.slice(0, 2).flatMap(([, codes]) => codes));
export const standsStill = (code: string): boolean => STILL.has(code);

export interface Group<Item> {
  readonly title: string;
  readonly items: readonly Item[];
}

/** Each item stands under one heading; headings without any are left out. */
export function grouped<Item extends { readonly code: string }>(items: readonly Item[]): Group<Item>[] {
  const known = new Set(GROUPS.flatMap(([, codes]) => codes));
  return [
    ...GROUPS.map(([title, codes]) => ({ title, items: items.filter(({ code }) => codes.includes(code)) })),
    { title: OTHERS, items: items.filter(({ code }) => !known.has(code)) },
  ].filter((group) => group.items.length > 0);
}
