/** A real fleet at work while somebody looks, and files that travel between browser and bucket. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { LeaseboardClient, Worker } from '../../client/index.ts';
import { openPage } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
import { SLUG } from './support/stage.ts';
import { drawer, tileIn } from './support/tiles.ts';

const CARDS = 12;
const AGENTS = ['fleet-1', 'fleet-2', 'fleet-3'];

const on = setUp();

test('a fleet of workers drains the queue before one’s eyes: each card lit by its worker, then done', async () => {
  const { page, faults } = await on.openBoard();
  const lit = new Set<string>();
  // Each card is worked on until the board has shown it lit, so that nothing depends on how fast either is.
  const worker = (agent: string): Worker =>
    new Worker(
      {
        client: new LeaseboardClient({ url: on.stage.url, token: on.stage.token, agent }),
        board: SLUG,
        column: on.stage.column('Ready'),
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
  for (const title of titles) await on.stage.create('Ready', title);
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
  const card = await on.stage.create('To do', 'Needs a file');
  const { page, faults } = await openPage(on.browser, on.stage, `/boards/${SLUG}/cards/${card.id}`);
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
