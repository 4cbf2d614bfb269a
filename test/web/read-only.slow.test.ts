/** What a worker's token sees: the board, and nothing to change it with. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from './support/browser.ts';
import { setStage, SLUG, type Stage } from './support/stage.ts';
import { drawer, tileIn } from './support/tiles.ts';

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

test('with a worker’s token the board says that it is read-only, and offers no move, no pause and no redrive', async () => {
  await stage.create('Ready', 'Look, do not touch');
  const { token } = await stage.client.tokens.create({ name: 'looker', scopes: ['worker'] });
  const { page, faults } = await openPage(browser, { url: stage.url, token }, `/boards/${SLUG}`);
  await page.getByText('Read-only', { exact: true }).waitFor();
  await tileIn(page, 'Ready', 'Look, do not touch').getByRole('link').click();
  await drawer(page).getByRole('heading', { name: 'Look, do not touch' }).waitFor();
  for (const name of [/^Move/, /^Pause/, /Redrive/, /^Edit/, /^Archive/]) {
    expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0);
  }
  expect(await page.getByRole('link', { name: /Webhooks|Tokens/ }).count()).toBe(0);
  expect(faults).toEqual([]);
  await page.context().close();
});
