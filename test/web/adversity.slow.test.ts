/** What goes wrong around a page that is open: things vanish under it, answers are late, clocks are wrong. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
import { SLUG } from './support/stage.ts';
import { drawer, tileIn } from './support/tiles.ts';

const HOUR_MS = 3_600_000;

const on = setUp();

/** A browser whose clock is this much ahead of everybody else's, from the start or from when it is told. */
async function shiftClock(page: Page, ms: number): Promise<void> {
  await page.evaluate((shift) => {
    const real = Date.now.bind(Date);
    Date.now = () => real() + shift;
  }, ms);
}

test('a card that is deleted while it is open is said to be gone, and offers nothing to do to it', async () => {
  const card = await on.stage.create('To do', 'Short-lived');
  const { page, faults } = await on.openBoard(`/cards/${card.id}`);
  await drawer(page).getByRole('button', { name: 'Complete' }).waitFor();
  await on.stage.client.cards.archive(card.id);
  await on.stage.client.cards.delete(card.id);
  await drawer(page).getByRole('alert').waitFor();
  expect(await drawer(page).getByRole('toolbar').count()).toBe(0);
  expect(await drawer(page).getByRole('heading', { name: 'Short-lived' }).count()).toBe(0);
  await drawer(page).getByRole('button', { name: 'Close card' }).click();
  await drawer(page).waitFor({ state: 'detached' });
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a board that is deleted while it is open says so, and leads to the others', async () => {
  const doomed = await on.stage.client.boards.create({ name: 'Doomed', slug: 'doomed' });
  const { page, faults } = await openPage(on.browser, on.stage, '/boards/doomed');
  await page.getByText('Live', { exact: true }).waitFor();
  await on.stage.client.boards.delete(doomed.id);
  await page.getByRole('heading', { name: 'This board is not here' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'All boards' }).click();
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a board that is not there yet opens by Try again once it is', async () => {
  const { page } = await openPage(on.browser, on.stage, '/boards/tomorrow');
  await page.getByRole('heading', { name: 'This board is not here' }).waitFor();
  await on.stage.client.boards.create({ name: 'Tomorrow', slug: 'tomorrow' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'Tomorrow' }).waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.context().close();
});

test('an address that somebody has cut in two says that there is no such page', async () => {
  const { page, faults } = await openPage(on.browser, on.stage, '/');
  await page.evaluate(() => {
    window.history.pushState(null, '', '/boards/%E0%A4%A');
    window.dispatchEvent(new PopStateEvent('popstate'));
  });
  await page.getByRole('heading', { name: 'This board is not here' }).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});

test('while the cards are still being read, no view says that there are none', async () => {
  const { page } = await on.openBoard();
  await page.route('**/v1/boards/*/cards*', async () => {});
  for (const [path, empty] of [
    ['work', 'Nobody is working just now'],
    ['dead', 'No dead letters'],
  ] as const) {
    await page.goto(`${on.stage.url}/boards/${SLUG}/${path}`);
    await page
      .getByRole('main')
      .getByText(/^Loading/)
      .last()
      .waitFor();
    expect(await page.getByText(empty).count()).toBe(0);
  }
  await page.context().close();
});

test('a clock that is an hour wrong, or put wrong while one looks, counts leases down by the server’s', async () => {
  const contract = await on.stage.client.columns.contract(SLUG, on.stage.column('Ready'));
  const hour = { ...contract, lease_ttl_seconds: 3_600 };
  await on.stage.client.columns.setContract(SLUG, on.stage.column('Ready'), hour);
  const card = await on.stage.create('Ready', 'Against the clock');
  const { lease_id, lease_token } = await on.stage.claim(card, 'runner-1');
  const { page, faults } = await on.openBoard();
  const working = tileIn(page, 'Ready', 'Against the clock').and(page.locator('[data-status=working]'));
  await working.waitFor();
  for (const shift of [HOUR_MS, -2 * HOUR_MS]) {
    await shiftClock(page, shift);
    const left = working.locator('.left');
    await expect.poll(async () => left.innerText(), { timeout: 20_000 }).toMatch(/^5\d min/);
    await working.waitFor();
  }
  await on.stage.client.leases.release(lease_id, { lease_token });
  expect(faults).toEqual([]);
  await page.context().close();
});

test('names from anywhere stay text and stay inside: of board, columns, agents, files, labels and receivers', async () => {
  const evil = '<img src=x onerror="window.pwned=1">';
  const long = 'W'.repeat(100);
  const board = await on.stage.client.boards.create({ name: `${evil} ${long}`.slice(0, 100), slug: 'evil' });
  await on.stage.client.columns.create(board.id, { name: evil });
  const { columns } = await on.stage.client.boards.get(board.id);
  const ready = columns.find(({ name }) => name === 'Ready')?.id ?? '';
  const card = await on.stage.client.cards.create(board.id, {
    column_id: ready,
    title: `${evil}${long}`,
    labels: [long.slice(0, 32), '<b onclick="pwned=1">'],
    tenant: long.slice(0, 32),
  });
  // The server makes it a name that any file system takes; what is left of it is shown as it is.
  const file = await on.stage.client.attachments.create(card.id, {
    name: 'x" onerror="window.pwned=1.png',
    content_type: 'image/png',
    size: 10,
  });
  await on.stage.client.webhooks.create(board.id, { url: `http://127.0.0.1:18998/${'w'.repeat(300)}` });
  await on.stage.client.cards.claim(card.id, { agent: `a${'g'.repeat(60)}` });
  for (const width of [1_500, 390]) {
    const viewport = { width, height: 850 };
    const { page, faults } = await openPage(on.browser, on.stage, `/boards/evil/cards/${card.id}`, {
      viewport,
    });
    await drawer(page).getByRole('tab', { name: /Files/ }).click();
    await drawer(page).getByText(file.name).waitFor();
    for (const view of ['', '/work', '/diagnostics', '/activity', '/webhooks']) {
      await page.goto(`${on.stage.url}/boards/evil${view}`);
      await page.getByText('Live', { exact: true }).waitFor();
      const wide = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(wide, `${view || 'board'} at ${width}`).toBeLessThanOrEqual(0);
    }
    expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
    expect(faults).toEqual([]);
    await page.context().close();
  }
});
