/** A filter with a name: saved, chosen again, sent to somebody, deleted. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser, openPage, type Watched } from './support/browser.ts';
import { setStage, SLUG, type Stage } from './support/stage.ts';
import { tile } from './support/tiles.ts';

let stage: Stage;
let browser: Browser;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  stage = await setStage();
  browser = await launchBrowser();
  await stage.create('Ready', 'Wash the dog', { labels: ['pets'] });
  await stage.create('Ready', 'Sweep the yard', { labels: ['garden'] });
});

afterAll(async () => {
  await browser.close();
  await stage.stop();
});

beforeEach(async () => {
  watched = await openPage(browser, stage, `/boards/${SLUG}`);
  page = watched.page;
  await tile(page, 'Sweep the yard').waitFor();
});

afterEach(async () => {
  expect(watched.faults).toEqual([]);
  await page.context().close();
});

const views = () => page.getByRole('navigation', { name: 'Saved views' });

async function save(query: string, name: string): Promise<void> {
  await page.goto(`${stage.url}/boards/${SLUG}?${query}`);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(name);
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await views().getByRole('link', { name, exact: true }).and(page.locator('[aria-current=true]')).waitFor();
}

test('a filter is saved under a name, chosen again after a reload, and deleted', async () => {
  await save('label=pets', 'Animals');
  expect(await page.getByRole('button', { name: 'Save view' }).count()).toBe(0);
  await page.getByRole('button', { name: 'Clear' }).click();
  await tile(page, 'Sweep the yard').waitFor();
  await page.reload();
  await tile(page, 'Sweep the yard').waitFor();
  await views().getByRole('link', { name: 'Animals' }).click();
  await tile(page, 'Sweep the yard').waitFor({ state: 'detached' });
  await tile(page, 'Wash the dog').waitFor();
  await page.getByRole('button', { name: 'Delete view Animals' }).click();
  await views().waitFor({ state: 'detached' });
  await tile(page, 'Wash the dog').waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'Save view' }).waitFor();
  expect(await views().count()).toBe(0);
});

test('a view is all of its address, and somebody else sees it by that', async () => {
  await save('q=the&label=garden', 'Out there');
  const link = await views().getByRole('link', { name: 'Out there' }).getAttribute('href');
  const other = await openPage(browser, stage, link ?? '');
  await tile(other.page, 'Sweep the yard').waitFor();
  expect(await tile(other.page, 'Wash the dog').count()).toBe(0);
  expect(await other.page.getByRole('navigation', { name: 'Saved views' }).count()).toBe(0);
  await other.page.context().close();
});

test('the same name replaces, and says so before; another board has views of its own', async () => {
  await save('label=pets', 'Mine');
  await page.goto(`${stage.url}/boards/${SLUG}?label=garden`);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill(' Mine ');
  await page.getByRole('dialog').getByText('replaces the view').waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await views().getByRole('link').count()).toBe(1);
  expect(await views().getByRole('link', { name: 'Mine' }).getAttribute('href')).toContain('label=garden');
  await stage.client.boards.create({ name: 'Other', slug: 'other' });
  await page.goto(`${stage.url}/boards/other?label=garden`);
  await page.getByRole('button', { name: 'Save view' }).waitFor();
  expect(await views().count()).toBe(0);
});

test('what another tab has saved is there, and is not lost to this one’s', async () => {
  const second = await page.context().newPage();
  await second.goto(`${stage.url}/boards/${SLUG}#token=${stage.token}`);
  await tile(second, 'Sweep the yard').waitFor();
  await save('label=pets', 'First tab');
  await second.getByRole('link', { name: 'First tab' }).click();
  await tile(second, 'Sweep the yard').waitFor({ state: 'detached' });
  await second.getByRole('button', { name: 'Delete view First tab' }).click();
  await views().waitFor({ state: 'detached' });
});

test('views are saved, chosen and deleted by keyboard, and nothing loses the focus', async () => {
  await save('label=pets', 'One');
  await save('label=garden', 'Two');
  await views().getByRole('link', { name: 'One' }).focus();
  await page.keyboard.press('Enter');
  await tile(page, 'Sweep the yard').waitFor({ state: 'detached' });
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Two');
});

test.for([
  ['light', 1_600],
  ['dark', 390],
] as const)('saved views are clean by axe, %s at %i pixels', async ([colorScheme, width], { expect }) => {
  await page.context().close();
  const viewport = { width, height: 900 };
  watched = await openPage(browser, stage, `/boards/${SLUG}?label=pets`, {
    colorScheme,
    viewport,
    bypassCSP: true,
  });
  page = watched.page;
  await save('label=pets', 'A view with a name as long as one may');
  await page.goto(`${stage.url}/boards/${SLUG}?label=garden`);
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const tool = (globalThis as unknown as { axe: typeof axe }).axe;
    return (await tool.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
  });
  expect(violations).toEqual([]);
  await page.keyboard.press('Escape');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(width);
});
