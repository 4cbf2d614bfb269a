/** A board with a card in every state that there is, and something of everything that lies under cards. */
import { archiveCard } from '../../../shared/verbs/archive-card.ts';
import { blockCard } from '../../../shared/verbs/block-card.ts';
import { createColumn } from '../../../shared/verbs/create-column.ts';
import { createComment } from '../../../shared/verbs/create-comment.ts';
import { completeCard } from '../../../shared/verbs/complete-card.ts';
import { deleteCard } from '../../../shared/verbs/delete-card.ts';
import { pauseColumn } from '../../../shared/verbs/pause-column.ts';
import { putContract } from '../../../shared/verbs/put-contract.ts';
import { renewLease } from '../../../shared/verbs/renew-lease.ts';
import { updateBoard } from '../../../shared/verbs/update-board.ts';
import type { CardView } from '../../../shared/views/card.ts';
import { made, makeDesk, type Desk } from '../../cards/support/cards.ts';
import { childOf } from '../../links/support/links.ts';
import { complete, fail, mustClaim } from '../../support/worker.ts';
import type { FilesWorld } from '../../attachments/support/files.ts';

/** What stands where, by what it shows. */
export type FullBoard = Desk & { readonly cards: Readonly<Record<string, CardView>> };

const SCHEMA = { type: 'object', properties: { pages: { type: 'integer' } } };

export async function fullBoard(files: FilesWorld): Promise<FullBoard> {
  const { world } = files;
  const { main, admin, clock } = world;
  const ada = world.agent('ada');
  const desk = await makeDesk(world, { max_attempts: 3, input_schema: SCHEMA });
  const board = desk.board.id;
  await updateBoard(main, admin, { board, description: 'All of it', run_retention_days: 90 });
  const side = await createColumn(main, admin, { board, name: 'Side', role: 'work', wip_limit: 4 }, null);
  await putContract(main, admin, { board, column: side.value.id, contract: { enabled: true } });
  await pauseColumn(main, admin, { board, column: side.value.id });

  const cards: Record<string, CardView> = {};
  const put = async (name: string, body: object = {}): Promise<CardView> => {
    const card = await made(world, desk, { title: name, ...body });
    cards[name] = card;
    return card;
  };
  const claimOnly = async (name: string) => {
    const card = await put(name, { priority: 9 });
    const held = await mustClaim(main, ada, desk.queue);
    if (held.card.id !== card.id) throw new Error('Another card was claimed');
    clock.advance(1_000);
    return held;
  };

  await complete(main, ada, await claimOnly('done'), { output: { pages: 3 }, summary: 'Read it.' });
  await fail(main, ada, await claimOnly('dead'), { retryable: false });
  await fail(main, ada, await claimOnly('backing off'), {});
  const held = await claimOnly('held');
  await renewLease(main, ada, {
    lease: held.lease_id,
    lease_token: held.lease_token,
    checkpoint: 'page 7',
    lease_ttl_seconds: 100,
  });
  await put('idle', { column_id: desk.todo, body: 'x'.repeat(3_000), labels: ['a', 'b'] });
  await put('draft', { draft: true, model: { name: 'm', provider: 'p' } });
  await put('on hold', { hold: true, dedupe_key: 'k-1' });
  await put('scheduled', { scheduled_at: new Date(clock.now() + 3_600_000).toISOString() });
  await put('bad input', { properties: { pages: 'many' } });
  await put('paused', { column_id: side.value.id, assignee: 'bob' });
  const talked = await put('ready', { priority: 7, properties: { pages: 1 }, tenant: 't', skills: ['go'] });
  await createComment(main, admin, { card: talked.id, body: 'First, @ada' }, null);
  await createComment(main, ada, { card: talked.id, body: 'Second' }, null);
  await files.attachText(talked, 'notes.txt', 'some notes');

  const blocked = await put('blocked');
  const reason = `Which of them? ${'?'.repeat(200)}`;
  await blockCard(main, admin, { card: blocked.id, kind: 'needs_input', reason });
  for (const name of ['put away', 'put away done', 'put away blocked']) await put(name);
  const away = (name: string) => ({ card: cards[name]?.id ?? '' });
  await completeCard(main, admin, away('put away done'));
  await blockCard(main, admin, { ...away('put away blocked'), reason: 'Nobody knows' });
  for (const name of ['put away', 'put away done', 'put away blocked']) {
    await archiveCard(main, admin, away(name));
  }

  const container = await put('container', { container: true });
  const first = await put('sub one', { container_id: container.id });
  await put('sub two', { container_id: container.id });
  cards['waiting'] = await childOf(world, desk, [talked, cards['done'] ?? talked], { title: 'waiting' });
  cards['free'] = await childOf(world, desk, [cards['done'] ?? talked], { title: 'free' });
  const doomed = await put('doomed');
  cards['orphan'] = await childOf(world, desk, [doomed], { title: 'orphan' });
  await deleteCard(main, admin, { card: doomed.id });
  delete cards['doomed'];
  await completeCard(main, admin, { card: first.id });
  return { ...desk, cards };
}
