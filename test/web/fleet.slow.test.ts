/** A real fleet at work while somebody looks, and files that travel between browser and bucket. */
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LeaseboardClient, Worker } from '../../client/index.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { setStage, SLUG, type Stage } from './support/stage.ts';
import { drawer, tileIn } from './support/tiles.ts';

const CARDS = 12;
const AGENTS = ['fleet-1', 'fleet-2', 'fleet-3'];

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  stage = await setStage();
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await stage.stop();
});

test('a fleet of workers drains the queue before one’s eyes: each card lit by its worker, then done', async () => {
  const { page, faults } = await openPage(browser, stage, `/boards/${SLUG}`);
  await page.getByText('Live', { exact: true }).waitFor();
  const lit = new Set<string>();
  // Each card is worked on until the board has shown it lit, so that nothing depends on how fast either is.
  const worker = (agent: string): Worker =>
    new Worker(
      {
        client: new LeaseboardClient({ url: stage.url, token: stage.token, agent }),
        board: SLUG,
        column: stage.column('Ready'),
        handleSignals: false,
      },
      async ({ card }) => {
        await tileIn(page, 'Ready', card.title)
          .and(page.locator('[data-status=working]'))
          .getByText(agent)
          .waitFor();
        lit.add(card.title);
        return { by: agent };
      },
    );
  const titles = Array.from({ length: CARDS }, (_, index) => `Task no. ${index + 1}.`);
  for (const title of titles) await stage.create('Ready', title);
  const workers = AGENTS.map(worker);
  const runs = workers.map(async (one) => one.run());
  for (const title of titles) await tileIn(page, 'Done', title).waitFor({ timeout: 60_000 });
  expect(lit.size).toBe(CARDS);
  // A tile that slides away is there for a moment longer.
  await expect.poll(async () => page.locator('[data-status=working]').count()).toBe(0);
  await Promise.all(workers.map(async (one) => one.stop({ graceSeconds: 0 })));
  await Promise.all(runs);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a file is attached from the browser, and comes back as it was', async () => {
  const card = await stage.create('To do', 'Needs a file');
  const { page, faults } = await openPage(browser, stage, `/boards/${SLUG}/cards/${card.id}`);
  await drawer(page).getByRole('tab', { name: 'Files' }).click();
  const content = Buffer.from('price;amount\n12;3\n');
  await drawer(page)
    .getByLabel('Attach a file')
    .setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer: content });
  const link = drawer(page).getByRole('link', { name: 'prices.csv' });
  await link.waitFor();
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
  expect(await readFile(await download.path())).toEqual(content);
  expect(faults).toEqual([]);
  await page.context().close();
});
