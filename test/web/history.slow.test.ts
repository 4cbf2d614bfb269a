/** Looking back: everything that is kept of a board and of a card, as far as somebody wants to look. */
import axe from 'axe-core';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { BoardEvent } from '../../client/index.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { setStage, SLUG, type Stage } from './support/stage.ts';
import { drawer } from './support/tiles.ts';

/** With the edits more events than one click looks through. */
const BATCHES = 20;
const BATCH = 25;
/** More than one page of a card's history. */
const EDITS = 105;
/** Hundreds of cards are made, on a machine that others use too. */
const SET_UP_MS = 400_000;
const PATIENT = { timeoutMs: 60_000 };
/** A whole feed is clicked through, page by page. */
vi.setConfig({ testTimeout: 180_000 });
const PATIENCE = { timeout: 20_000 };

let stage: Stage;
let browser: Browser;
let all: readonly BoardEvent[];
let edited: string;

beforeAll(async () => {
  stage = await setStage();
  browser = await launchBrowser();
  const worked = await stage.create('Ready', 'Worked on long ago');
  const { lease_id, lease_token } = await stage.claim(worked, 'early-1');
  await stage.client.leases.complete(lease_id, { lease_token });
  const card = await stage.create('To do', 'Edited often');
  edited = card.id;
  for (let at = 1; at <= EDITS; at += 1) {
    await stage.client.cards.update(edited, { body: `Version ${at}` }, PATIENT);
  }
  const column_id = stage.column('Triage');
  for (let batch = 0; batch < BATCHES; batch += 1) {
    const cards = Array.from({ length: BATCH }, (_, at) => ({ column_id, title: `Card ${batch}-${at}` }));
    await stage.client.cards.createBatch(SLUG, cards, PATIENT);
  }
  // The fan-out is on its way: the feed is whole once it tells of the last card.
  const expected = 3 + 1 + EDITS + BATCHES * BATCH;
  await vi.waitFor(async () => expect((all = await wholeFeed()).length).toBe(expected), {
    timeout: 60_000,
    interval: 1_000,
  });
}, SET_UP_MS);

afterAll(async () => {
  await browser.close();
  await stage.stop();
});

async function wholeFeed(): Promise<readonly BoardEvent[]> {
  const events: BoardEvent[] = [];
  let since: string | undefined;
  for (;;) {
    const page = await stage.client.events.list(SLUG, {
      limit: 100,
      ...(since === undefined ? {} : { since }),
    });
    if (page.items.length === 0) return events;
    events.push(...page.items);
    since = page.next_cursor;
  }
}

test('the activity of a board goes back to its very first event, each once, and stays live meanwhile', async () => {
  const { page, faults } = await openPage(browser, stage, `/boards/${SLUG}/activity`);
  const list = page.getByRole('list', { name: 'Activity' });
  await list.getByRole('listitem').first().waitFor();
  const older = page.getByRole('button', { name: 'Older events' });
  await page.getByText('Shown back to').waitFor();
  expect(await list.getByText('Worked on long ago').count()).toBe(0);
  const fresh = await stage.create('To do', 'Came while looking back');
  await list.getByText('Came while looking back').waitFor();
  for (let shown = await list.getByRole('listitem').count(); (await older.count()) > 0;) {
    await older.click();
    const before = shown;
    await expect
      .poll(
        async () =>
          (shown = await list.getByRole('listitem').count()) > before || (await older.count()) === 0,
        PATIENCE,
      )
      .toBe(true);
  }
  await page.getByText('That is everything that is kept').waitFor();
  expect(await list.getByRole('listitem').count()).toBe(all.length + 1);
  await list.getByRole('listitem').last().getByText('Worked on long ago').waitFor();
  await list.getByRole('listitem').first().getByText('Came while looking back').waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
  await stage.client.cards.delete(fresh.id);
});

test('the one event of a kind is found behind many others, and by keyboard', async () => {
  const { page, faults } = await openPage(browser, stage, `/boards/${SLUG}/activity`);
  const list = page.getByRole('list', { name: 'Activity' });
  await list.getByRole('listitem').first().waitFor();
  await page.getByRole('button', { name: 'Work', exact: true }).click();
  await page.getByText('Nothing here yet').waitFor();
  const older = page.getByRole('button', { name: 'Older events' });
  for (let presses = 0; (await list.getByRole('listitem').count()) === 0; presses += 1) {
    expect(presses).toBeLessThan(5);
    await older.focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await older.count()) === 0 || (await older.isEnabled()), PATIENCE)
      .toBe(true);
  }
  await list.getByText('early-1').first().waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test.for(['light', 'dark'] as const)(
  'a card’s history begins with the newest and goes back to its creation, clean by axe in %s',
  async (colorScheme, { expect }) => {
    const path = `/boards/${SLUG}/cards/${edited}`;
    const { page, faults } = await openPage(browser, stage, path, { colorScheme, bypassCSP: true });
    const open = drawer(page);
    await open.getByRole('tab', { name: 'History' }).click();
    const list = open.getByRole('list', { name: 'History' });
    await expect.poll(() => list.getByRole('listitem').count(), PATIENCE).toBe(100);
    expect(await list.getByText('created').count()).toBe(0);
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const tool = (globalThis as unknown as { axe: typeof axe }).axe;
      return (await tool.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(violations).toEqual([]);
    await open.getByRole('button', { name: 'Older events' }).press('Enter');
    await expect.poll(() => list.getByRole('listitem').count(), PATIENCE).toBe(EDITS + 1);
    await list.getByRole('listitem').last().getByText('created').waitFor();
    const end = open.getByText('That is everything that is kept');
    await expect.poll(() => end.evaluate((one) => one === document.activeElement)).toBe(true);
    expect(faults).toEqual([]);
    await page.context().close();
  },
);
