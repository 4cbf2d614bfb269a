/** The eight patterns, each on a board of its own: what they say, and what is on the board after them. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LeaseboardClient } from '../../client/index.ts';
import { startOwnStack, type OwnStack } from '../../demo/fleet/own-stack.ts';
import { PATTERNS } from '../../examples/patterns/patterns.ts';

let stack: OwnStack;
let client: LeaseboardClient;

beforeAll(async () => {
  stack = await startOwnStack();
  client = new LeaseboardClient({ ...stack, agent: 'tester' });
}, 120_000);

afterAll(async () => stack.stop());

/** What each says at its end, and how many cards are done on its board, of how many. */
const ENDS: Readonly<Record<string, { says: string; done: number; of: number }>> = {
  'fan-out': { says: '3 searches became one answer: {"finds":6}', done: 4, of: 4 },
  pipeline: { says: 'One card, three stages: researcher-1, writer-1, editor-1', done: 1, of: 1 },
  quorum: { says: 'The votes are counted: {"in_favour":2,"of":3,"accepted":true}', done: 4, of: 4 },
  journal: {
    says: 'The journal says: crawler-1: Read up to page 10; crawler-2: Read up to page 20; crawler-3: Read up to page 30',
    done: 3,
    of: 4,
  },
  'human-in-the-loop': {
    says: 'Another worker went on with the answer: {"booked_for":"Forty."}',
    done: 1,
    of: 1,
  },
  mention: { says: 'On MENTI-1: planner was answered by translator-1', done: 1, of: 2 },
  fleet: { says: '6 workers, at most 4 at once, have done 24 of 24 cards', done: 24, of: 24 },
  triage: { says: '"login broken??" became "Login answers 500": {"fixed_in":"shop"}', done: 1, of: 1 },
};

test('there are eight of them', () => {
  expect(Object.keys(PATTERNS)).toEqual(Object.keys(ENDS));
  expect(Object.keys(PATTERNS)).toHaveLength(8);
});

test.each(Object.entries(PATTERNS))('%s ends as it should', async (name, play) => {
  const said: string[] = [];
  const board = await play(
    (agent) => new LeaseboardClient({ ...stack, agent }),
    (line) => said.push(line),
  );
  const { counts } = await client.boards.get(board);
  const of = Object.values(counts).reduce((sum, count) => sum + count, 0);
  expect({ says: said.at(-1), done: counts.done, of }).toEqual(ENDS[name]);
});
