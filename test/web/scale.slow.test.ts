/** Two thousand cards: what is drawn of them, and how long the page is busy at a time. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { busyTasks } from './support/busy.ts';
import { launchBrowser, openPage } from './support/browser.ts';
import { setStage, SLUG, type Stage } from './support/stage.ts';

const CARDS = 2_000;
const BATCH = 100;
const MOST_NODES = 300;
/** A person feels what takes longer. */
const LONGEST_TASK_MS = 100;

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  stage = await setStage();
  browser = await launchBrowser();
  const columns = ['Triage', 'To do', 'Ready', 'Ready', 'Ready', 'Review', 'Done'];
  for (let made = 0; made < CARDS; made += BATCH) {
    const name = columns[(made / BATCH) % columns.length] ?? 'Ready';
    const cards = Array.from({ length: BATCH }, (_, index) => ({
      title: `Card ${made + index} ${'with some more words '.repeat(index % 4)}`,
      column_id: stage.column(name),
      labels: index % 3 === 0 ? ['bug'] : [],
      priority: index % 10,
    }));
    await stage.client.cards.createBatch(SLUG, cards);
  }
}, 300_000);

afterAll(async () => {
  await browser.close();
  await stage.stop();
});

test('two thousand cards are counted whole, drawn as at most 300 tiles, and scroll and drag without a pause', async () => {
  const { page, faults } = await openPage(browser, stage, `/boards/${SLUG}`);
  const ready = page.locator('[data-column]', { has: page.getByRole('heading', { name: 'Ready' }) });
  await expect
    .poll(async () => ready.locator('.count-chip').innerText(), { timeout: 120_000 })
    .toMatch(/^[89]00$/);
  await page.getByText('Live', { exact: true }).waitFor();
  const nodes = async (): Promise<number> => page.locator('article').count();
  expect(await nodes()).toBeGreaterThan(20);
  expect(await nodes()).toBeLessThanOrEqual(MOST_NODES);
  let most = 0;
  const tasks = await busyTasks(browser, page, async () => {
    await ready.hover();
    for (let step = 0; step < 40; step += 1) {
      await page.mouse.wheel(0, step < 20 ? 900 : -450);
      most = Math.max(most, await nodes());
    }
    await ready.locator('.scroller').evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await expect
      .poll(async () => ready.locator('li').last().getAttribute('aria-posinset'))
      .toMatch(/^[89]00$/);
    await ready.locator('article').last().dragTo(page.locator('[data-column]').first());
    most = Math.max(most, await nodes());
  });
  expect(most).toBeLessThanOrEqual(MOST_NODES);
  // Something was measured.
  expect(tasks[0]).toBeGreaterThan(1);
  expect(tasks[0], `longest tasks: ${tasks.slice(0, 10).join(', ')} ms`).toBeLessThanOrEqual(LONGEST_TASK_MS);
  expect(faults).toEqual([]);
  await page.context().close();
}, 240_000);

test('searching, lanes and the keyboard keep to the same limit', async () => {
  const { page, faults } = await openPage(browser, stage, `/boards/${SLUG}`);
  await page.getByText('Live', { exact: true }).waitFor({ timeout: 120_000 });
  await page.getByRole('button', { name: 'Lanes' }).click();
  await page.getByRole('button', { name: 'Compact' }).click();
  await page.keyboard.press('j');
  for (let step = 0; step < 60; step += 1) await page.keyboard.press('j');
  expect(await page.locator('article').count()).toBeLessThanOrEqual(MOST_NODES);
  const place = await page.evaluate(() =>
    document.activeElement?.closest('li')?.getAttribute('aria-posinset'),
  );
  expect(Number(place)).toBeGreaterThan(30);
  await page.getByRole('searchbox').fill('Card 1999');
  await expect.poll(async () => page.locator('article').count()).toBe(1);
  expect(faults).toEqual([]);
  await page.context().close();
}, 240_000);
