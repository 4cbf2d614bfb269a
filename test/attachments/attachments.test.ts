import { describe, expect, it } from 'vitest';
import { FILES_PER_CARD } from '../../shared/attachments/policy.ts';
import { findAttachment } from '../../shared/attachments/rows.ts';
import { newId } from '../../shared/ids.ts';
import { attachmentKey } from '../../shared/store/keys.ts';
import { createAttachment } from '../../shared/verbs/create-attachment.ts';
import { deleteAttachment } from '../../shared/verbs/delete-attachment.ts';
import { deleteBoard } from '../../shared/verbs/delete-board.ts';
import { deleteCard } from '../../shared/verbs/delete-card.ts';
import { getContext } from '../../shared/verbs/get-context.ts';
import { reap } from '../../shared/verbs/reap.ts';
import { GOING_SETTLE_MS } from '../../shared/policy.ts';
import { refusal, repeatable } from '../boards/support/board.ts';
import { jobOf, lastEvents, look, made, makeDesk } from '../cards/support/cards.ts';
import { complete, mustClaim } from '../support/worker.ts';
import { createFilesWorld, download, textFile, upload } from './support/files.ts';

const files = await createFilesWorld();
const { world, attach, attachText, list } = files;
const { main, admin, clock } = world;
const ada = world.agent('ada');
const bob = world.agent('bob');
const MEGABYTE = 1_048_576;

const remove = async (card: { id: string }, attachment: { id: string }) =>
  deleteAttachment(main, admin, { card: card.id, attachment: attachment.id });

describe('a file that is uploaded', () => {
  it('goes straight to the bucket and comes back as it was, as something to save', async () => {
    const card = await made(world, await makeDesk(world));
    const body = Buffer.from('<h1>Report</h1>');
    const announced = await attach(card, {
      name: 'report.html',
      content_type: 'text/html',
      size: body.length,
    });
    expect(announced).toMatchObject({
      id: expect.stringMatching(/^att_/),
      name: 'report.html',
      size: 15,
      uploaded: false,
      expires_at: new Date(clock.now() + 900_000).toISOString(),
    });
    expect(await list(card)).toMatchObject([{ id: announced.id, uploaded: false, download_url: null }]);

    expect(await upload(announced, body)).toBe(200);

    const [listed] = await list(card);
    expect(listed).toMatchObject({ id: announced.id, uploaded: true });
    const got = await download(listed?.download_url ?? null);
    expect(await got.text()).toBe('<h1>Report</h1>');
    expect(got.headers.get('content-type')).toBe('text/html');
    expect(got.headers.get('content-disposition')).toMatch(/^attachment; filename="report\.html"/);
  });

  it('may have 25 MB and not a byte more', async () => {
    const card = await made(world, await makeDesk(world));
    const size = 25 * MEGABYTE;
    const announced = await attach(card, { name: 'big.bin', content_type: 'application/zip', size });
    expect(await upload(announced, new Uint8Array(size))).toBe(200);
    expect(await list(card)).toMatchObject([{ size, uploaded: true }]);
    await expect(
      attach(card, { name: 'bigger.bin', content_type: 'application/zip', size: size + 1 }),
    ).rejects.toThrow();
  });

  it('of another length or type than was announced is refused by the bucket', async () => {
    const card = await made(world, await makeDesk(world));
    const announced = await attach(card, { name: 'a.txt', content_type: 'text/plain', size: 3 });
    // Its length is told by whoever sends it, so that of the file is what counts.
    const byType = { ...announced, upload_headers: { 'content-type': 'text/plain' } };
    expect(await upload(byType, 'four')).toBe(403);
    const asPage = { ...announced.upload_headers, 'content-type': 'text/html' };
    expect(await upload({ ...announced, upload_headers: asPage }, 'abc')).toBe(403);
    expect(await list(card)).toMatchObject([{ uploaded: false }]);
  });

  it('cannot begin once its address has expired, nor under another card’s address', async () => {
    const desk = await makeDesk(world);
    const [card, other] = [await made(world, desk), await made(world, desk)];
    const announced = await attach(card, { name: 'a.txt', content_type: 'text/plain', size: 3 });
    const elsewhere = announced.upload_url?.replace(card.id, other.id) ?? '';
    expect(await upload({ ...announced, upload_url: elsewhere }, 'abc')).toBe(403);
    clock.advance(901_000);
    expect(await upload(announced, 'abc')).toBe(403);
  });
});

describe('attaching', () => {
  it('is one event, and is counted on the card without touching what people edit', async () => {
    const card = await made(world, await makeDesk(world));
    await attachText(card, 'a.txt', 'one');
    await attachText(card, 'b.txt', 'two');
    expect(await look(world, card)).toMatchObject({ rev: card.rev, counts: { attachments: 2 } });
    expect(await lastEvents(world, card)).toEqual(['card.attached']);
    expect((await jobOf(world, card)).sequence).toBe(3);
  });

  it('keeps names safe and apart', async () => {
    const card = await made(world, await makeDesk(world));
    const names = [];
    for (const sent of [
      '../../etc/passwd',
      'C:\\temp\\passwd',
      'Report.PDF',
      'report.pdf',
      '...',
      `${'x'.repeat(300)}.md`,
    ])
      names.push((await attachText(card, sent, 'x')).name);
    expect(names).toEqual([
      'passwd',
      'passwd (2)',
      'Report.PDF',
      'report (2).pdf',
      'attachment',
      `${'x'.repeat(197)}.md`,
    ]);
  });

  it('ten at once under one name keeps all ten', async () => {
    const card = await made(world, await makeDesk(world));
    await Promise.all(
      Array.from({ length: 10 }, async (_, at) =>
        createAttachment(world.engine(), admin, { ...textFile('same.txt', String(at)), card: card.id }, null),
      ),
    );
    const listed = await list(card);
    expect(new Set(listed.map(({ name }) => name)).size).toBe(10);
    const texts = await Promise.all(
      listed.map(async ({ download_url }) => (await download(download_url)).text()),
    );
    expect(texts.sort()).toEqual(Array.from({ length: 10 }, (_, at) => String(at)));
    expect(await look(world, card)).toMatchObject({ counts: { attachments: 10 } });
  });

  it('repeated with its key attaches once', async () => {
    const card = await made(world, await makeDesk(world));
    const input = { ...textFile('once.txt', 'x'), card: card.id };
    const repeat = repeatable('attach-once');
    const first = await createAttachment(main, admin, input, repeat);
    const again = await createAttachment(world.engine(), admin, input, repeat);
    expect(again).toMatchObject({ replayed: true, created: false, value: { id: first.value.id } });
    expect(await list(card)).toHaveLength(1);
  });

  it('to its own card a worker may by its lease, which that renews, and to another not', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    clock.advance(60_000);
    await attach(card, { ...textFile('mine.txt', 'x'), lease_token: held.lease_token }, ada);
    expect((await jobOf(world, card)).expires_at).toBe(clock.now() + 120_000);
    expect(await refusal(attach(card, textFile('no.txt', 'x'), bob))).toMatchObject({ code: 'forbidden' });
    const dead = { ...textFile('no.txt', 'x'), lease_token: 'made up' };
    expect(await refusal(attach(card, dead, bob))).toMatchObject({ code: 'lease_lost' });
    expect((await list(card)).map(({ name }) => name)).toEqual(['mine.txt']);
  });

  it('more than a hundred to one card is refused', async () => {
    const card = await made(world, await makeDesk(world));
    const first = await attach(card, { name: '0.txt', content_type: 'text/plain', size: 1 });
    const row = await findAttachment(main, card.id, first.id);
    for (let at = 1; at < FILES_PER_CARD; at += 1) {
      const id = newId('att', main.deps);
      const item = { ...row, ...attachmentKey(card.id, id), id, name: `${at}.txt` };
      await main.store.write({ kind: 'put', item });
    }
    expect(await refusal(attachText(card, 'more.txt', 'x'))).toMatchObject({ code: 'quota_exceeded' });
  });
});

describe('removing', () => {
  it('an attachment removes its row and its file', async () => {
    const card = await made(world, await makeDesk(world));
    const [kept, gone] = [await attachText(card, 'kept.txt', 'x'), await attachText(card, 'gone.txt', 'y')];
    const urls = (await list(card)).map(({ download_url }) => download_url);
    await remove(card, gone);
    expect((await list(card)).map(({ id }) => id)).toEqual([kept.id]);
    expect(await look(world, card)).toMatchObject({ counts: { attachments: 1 } });
    const statuses = await Promise.all(urls.map(async (url) => (await download(url)).status));
    expect(statuses).toEqual([200, 404]);
    expect(await refusal(remove(card, gone))).toMatchObject({ code: 'not_found' });
  });

  it('a card removes its files', async () => {
    const card = await made(world, await makeDesk(world));
    await attachText(card, 'a.txt', 'x');
    const [listed] = await list(card);
    await deleteCard(main, admin, { card: card.id });
    expect((await download(listed?.download_url ?? null)).status).toBe(404);
  });

  it('a board removes the files of all its cards', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const other = await made(world, await makeDesk(world));
    await attachText(card, 'a.txt', 'x');
    await attachText(other, 'b.txt', 'y');
    const [[gone], [stays]] = [await list(card), await list(other)];
    await deleteBoard(main, admin, { board: desk.board.id });
    for (let run = 0; run < 3; run += 1) {
      clock.advance(GOING_SETTLE_MS / 2 + 1);
      await reap(world.engine(), clock.now() + 50_000);
    }
    expect((await download(gone?.download_url ?? null)).status).toBe(404);
    expect((await download(stays?.download_url ?? null)).status).toBe(200);
  });
});

describe('the artifacts of a completion', () => {
  it('must be there: named and never attached, or announced and never uploaded, the lease stays', async () => {
    const desk = await makeDesk(world);
    const card = await made(world, desk);
    const held = await mustClaim(main, ada, desk.queue);
    await attachText(card, 'there.txt', 'x');
    const announced = await attach(card, { name: 'late.txt', content_type: 'text/plain', size: 4 });
    const ending = { artifacts: ['there.txt', 'late.txt', 'never.txt'] };

    expect(await refusal(complete(main, ada, held, ending))).toMatchObject({
      code: 'artifact_missing',
      extras: { errors: [{ path: '/artifacts/1' }, { path: '/artifacts/2' }] },
    });
    expect(await look(world, card)).toMatchObject({ state: 'leased' });

    await upload(announced, 'late');
    await attachText(card, 'never.txt', 'after all');
    expect((await complete(main, ada, held, ending)).card.state).toBe('done');
  });
});

it('a worker reads in its context what is attached', async () => {
  const card = await made(world, await makeDesk(world));
  const { id } = await attachText(card, 'brief.txt', 'read me');
  const { sections, text } = await getContext(main, ada, { card: card.id });
  expect(sections.attachments).toEqual([{ id, name: 'brief.txt', content_type: 'text/plain', size: 7 }]);
  expect(text).toContain('brief.txt');
});
