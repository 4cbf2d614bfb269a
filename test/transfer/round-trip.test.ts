import { beforeAll, describe, expect, it } from 'vitest';
import { importedId } from '../../shared/transfer/imported-id.ts';
import { getCard } from '../../shared/verbs/get-card.ts';
import { listAttachments } from '../../shared/verbs/list-attachments.ts';
import { listComments } from '../../shared/verbs/list-comments.ts';
import { listLinks } from '../../shared/verbs/list-links.ts';
import { listRuns } from '../../shared/verbs/list-runs.ts';
import type { BoardDetail } from '../../shared/views/board.ts';
import type { CardView } from '../../shared/views/card.ts';
import { createFilesWorld } from '../attachments/support/files.ts';
import { look as lookAtBoard, makeBoard } from '../boards/support/board.ts';
import { look, make } from '../cards/support/cards.ts';
import { mustClaim } from '../support/worker.ts';
import { fullBoard, type FullBoard } from './support/full-board.ts';
import { everyItem, exportAll, idsOf, importRows, renamed, statuses, type Row } from './support/transfer.ts';

const files = await createFilesWorld();
const { world } = files;
const { main, admin, clock } = world;

let full: FullBoard;
let rows: Row[];
let copy: BoardDetail;
let ids: Map<string, string>;

beforeAll(async () => {
  full = await fullBoard(files);
  clock.advance(1_000);
  rows = await exportAll(main, admin, full.board);
  copy = await makeBoard(world, { template: 'empty' });
  const answers = await importRows(world, copy, rows);
  expect(answers.filter(({ status }) => status !== 201)).toEqual([]);
  ids = idsOf(rows, answers);
  ids.set(full.board.id, copy.id);
  // A parent that was deleted is in no row; what waits for it goes on waiting.
  for (const { gone } of rows)
    for (const id of (gone ?? []) as string[]) ids.set(id, importedId('crd', copy.id, id));
});

const idOf = (id: string): string => ids.get(id) ?? id;
const copyOf = async (name: string): Promise<CardView> =>
  look(world, { id: idOf(full.cards[name]?.id ?? '') });

/** What is another's in a copy by its nature: its own name, its own day, and the lease that it does not have. */
const comparable = ({ updated_at: _updated, lease: _lease, ...card }: CardView) => card;

describe('the export of a board', () => {
  it('is the same however small its pages are', async () => {
    const [{ exported_at: _at, ...first } = { exported_at: '' }, ...rest] = await exportAll(
      main,
      admin,
      full.board,
      1,
    );
    const [{ exported_at: _when, ...head } = { exported_at: '' }, ...others] = rows;
    expect(first).toEqual(head);
    expect(rest).toEqual(others);
  });

  it('holds no token, no nonce and no secret', async () => {
    const held = await mustClaim(main, world.agent('bob'), full.queue);
    const text = JSON.stringify(await exportAll(main, admin, full.board));
    const { nonce } = (await everyItem(world)).get(`${held.card.id} JOB`) as { nonce: string };
    expect(nonce).toMatch(/./);
    for (const secret of [nonce, held.lease_token]) expect(text).not.toContain(secret);
    expect(text).not.toMatch(/nonce|lease_token|"tail"|op_id|whsec_/);
  });
});

describe('a board restored from its export', () => {
  it('has the columns, contracts and settings of the first', async () => {
    const [before, after] = [await lookAtBoard(world, full.board), await lookAtBoard(world, copy)];
    const shown = ({ columns, description, run_retention_days, max_in_progress }: BoardDetail) => ({
      description,
      run_retention_days,
      max_in_progress,
      columns: columns.map(({ id, name, role, queue, paused, wip_limit, contract }) => ({
        id,
        name,
        role,
        queue,
        paused,
        wip_limit,
        contract,
      })),
    });
    expect(shown(after)).toEqual(renamed(shown(before), ids));
  });

  it('has every card as it was, but what was held: that is ready again', async () => {
    const check = async ([name, { id }]: [string, CardView]): Promise<void> => {
      const before = renamed(await getCard(main, admin, { card: id }), ids);
      const after = await copyOf(name);
      const key = before.key.replace(/^[^-]+/, copy.key_prefix);
      if (name === 'held') {
        expect(after).toMatchObject({
          state: 'ready',
          lease: null,
          attempt: 0,
          fence: 1,
          key,
          abandoned_by: { agent: 'ada', attempt: 1, checkpoint: 'page 7' },
        });
      } else if (before.lease === null) expect(comparable(after)).toEqual({ ...comparable(before), key });
    };
    await Promise.all(Object.entries(full.cards).map(check));
  });

  it.each(['comments', 'runs', 'attachments', 'links'] as const)('has the %s of every card', async (what) => {
    const read = async (card: string): Promise<unknown> => {
      const all = { card, limit: 100 };
      if (what === 'comments') return (await listComments(main, admin, all)).items;
      if (what === 'runs') return (await listRuns(main, admin, all)).items;
      if (what === 'links') return linksOf(card);
      const { items } = await listAttachments(main, admin, all);
      // The file itself is not in an export.
      return items.map(({ uploaded: _there, download_url: _url, expires_at: _until, ...file }) => file);
    };
    const check = async ([name, { id }]: [string, CardView]): Promise<void> => {
      if (name === 'held' || (await look(world, { id })).lease !== null) return;
      const before = JSON.stringify(renamed(await read(id), ids)).replaceAll(
        /run_[0-9A-Z]{26}_/g,
        `run_${idOf(id).slice(4)}_`,
      );
      expect([name, await read(idOf(id))]).toEqual([name, JSON.parse(before)]);
    };
    await Promise.all(Object.entries(full.cards).map(check));
  });

  it('shows the run that went on as released, its attempt given back', async () => {
    const { items } = await listRuns(main, admin, { card: (await copyOf('held')).id, limit: 10 });
    expect(items).toMatchObject([
      { number: 1, attempt: 1, agent: 'ada', outcome: 'released', refunded: true, checkpoint: 'page 7' },
    ]);
  });

  it('stays as it is when the same rows come again', async () => {
    const before = await everyItem(world);
    expect(statuses(await importRows(world, copy, rows))).toEqual([200]);
    expect(await everyItem(world)).toEqual(before);
  });

  it('numbers its own cards behind those that came', async () => {
    const numbers = rows.flatMap(({ key }) => (typeof key === 'string' ? [Number(key.split('-')[1])] : []));
    const desk = { ...full, board: copy, ready: idOf(full.ready) };
    const { value } = await make(world, desk);
    // The number of the card that was deleted is not given a second time.
    expect(value.key).toBe(`${copy.key_prefix}-${Math.max(...numbers) + 1}`);
  });
});

async function linksOf(card: string): Promise<unknown> {
  const named = async ({ parents, children }: Awaited<ReturnType<typeof listLinks>>) => ({
    parents: parents.map(({ id }) => id).sort(),
    children: children.map(({ id }) => id).sort(),
  });
  const { parents, children } = await named(await listLinks(main, admin, { card }));
  return { parents: parents.map(idOf).sort(), children: children.map(idOf).sort() };
}
