import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '../../cli/exit-codes.ts';
import { problem, scriptedServer, type Step } from '../client/support/scripted-server.ts';
import { runIn } from './support/cli-world.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'leaseboard-live-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
});

function event(sequence: number, card: { key: string; assignee: string | null }) {
  return {
    id: `evt_${card.key}_${sequence}`,
    type: 'card.created',
    timestamp: '2026-05-01T09:00:00.000Z',
    sequence,
    board_id: 'brd_1',
    card_id: `crd_${card.key}`,
    actor: { type: 'person', id: 'ada' },
    data: { card: { ...card, title: 'A title', tenant: null }, run: null, reason: null },
  };
}

const page = (items: readonly object[], next_cursor: string, expired = false): Step => ({
  status: 200,
  body: { items, next_cursor, expired },
});

const BOARD: Step = { status: 200, body: { id: 'brd_1', events_cursor: 'c0', columns: [] } };

/** Runs until as many lines are out, then interrupts, as Ctrl-C does. */
async function untilLines(count: number, words: string, ...steps: Step[]) {
  const server = await scriptedServer(...steps, 'stay silent');
  const interrupt = new AbortController();
  let lines = 0;
  const ran = await runIn(folder, [...words.split(' '), '--url', server.url, '--token', 't'], {
    signal: interrupt.signal,
    onOut: (text) => {
      lines += text.split('\n').length - 1;
      if (lines >= count) interrupt.abort();
    },
  });
  return { ...ran, paths: server.seen.map(({ path }) => path) };
}

describe('leaseboard watch', () => {
  test('follows the feed from now on, page by page, and shows what it is asked for', async () => {
    const mine = { key: 'B-1', assignee: 'drafter-1' };
    const { code, out, paths } = await untilLines(
      2,
      'watch --board demo --assignee drafter-1 --type card.created --interval 7 --json',
      BOARD,
      page([event(1, mine), event(1, { key: 'B-2', assignee: null })], 'c1'),
      page([event(2, mine)], 'c2'),
    );
    expect(code).toBe(EXIT.interrupted);
    const shown = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(shown).toEqual(['evt_B-1_1', 'evt_B-1_2']);
    expect(paths.slice(0, 3)).toEqual([
      '/v1/boards/demo',
      '/v1/boards/demo/events?since=c0&wait_seconds=7&types=card.created',
      '/v1/boards/demo/events?since=c1&wait_seconds=7&types=card.created',
    ]);
  });

  test('says when events were no longer kept, and goes on from there', async () => {
    const { err } = await untilLines(
      1,
      'watch --board demo --since old',
      page([event(9, { key: 'B-1', assignee: null })], 'c1', true),
    );
    expect(err).toContain('there is a gap here');
  });

  test('ends when it may not read', async () => {
    const { code, err } = await untilLines(1, 'watch --board demo', BOARD, problem(401, 'unauthenticated'));
    expect([code, err]).toEqual([EXIT.auth, expect.stringContaining('unauthenticated')]);
  });
});

describe('leaseboard tail', () => {
  test('shows what happened, then what happens, nothing twice and no other card', async () => {
    const card = { key: 'B-1', assignee: null };
    const { out, paths } = await untilLines(
      3,
      'tail crd_B-1 --json',
      { status: 200, body: { id: 'crd_B-1', board_id: 'brd_1' } },
      BOARD,
      { status: 200, body: { items: [event(1, card), event(2, card)], next_cursor: null } },
      page([event(2, card), event(1, { key: 'B-2', assignee: null }), event(3, card)], 'c1'),
    );
    const shown = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: string }).id);
    expect(shown).toEqual(['evt_B-1_1', 'evt_B-1_2', 'evt_B-1_3']);
    expect(paths[1]).toBe('/v1/boards/brd_1');
  });
});
