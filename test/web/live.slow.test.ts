/** News: between two browsers, after an outage, in a burst, and what a page asks while nobody looks. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { waitUntil } from '../../local/wait-until.ts';
import { openPage } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
import { SLUG } from './support/stage.ts';
import { drawer, tileIn } from './support/tiles.ts';

/** Twice what the page promises: the machine is shared. */
const NEWS_LIMIT_MS = 8_000;

const on = setUp();

/** Requests to the API, by path. */
function requestsOf(page: Page): string[] {
  const paths: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) paths.push(pathname);
  });
  return paths;
}

async function setHidden(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(
    (state) => {
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
      document.dispatchEvent(new Event('visibilitychange'));
    },
    hidden ? 'hidden' : 'visible',
  );
}

test('what one person does the other one sees within seconds', async () => {
  const left = await on.openBoard();
  const right = await on.openBoard();
  await on.stage.create('To do', 'Shared work');
  await tileIn(left.page, 'To do', 'Shared work').getByRole('link').click();
  await drawer(left.page).getByRole('button', { name: 'Promote' }).click();
  await tileIn(right.page, 'Ready', 'Shared work').waitFor({ timeout: NEWS_LIMIT_MS });
  await tileIn(right.page, 'Ready', 'Shared work').hover();
  await tileIn(right.page, 'Ready', 'Shared work').getByRole('button', { name: /Move/ }).click();
  await right.page
    .getByRole('listitem')
    .filter({ hasText: 'Triage' })
    .getByRole('button', { name: 'Top' })
    .click();
  await tileIn(left.page, 'Triage', 'Shared work').waitFor({ timeout: NEWS_LIMIT_MS });
  expect([...left.faults, ...right.faults]).toEqual([]);
  await left.page.context().close();
  await right.page.context().close();
});

test('an outage is said, and over it shows everything that happened meanwhile', async () => {
  const { page } = await on.openBoard();
  await page.context().setOffline(true);
  await page.getByText(/^(Offline|Reconnecting)$/).waitFor();
  await on.stage.create('Triage', 'While away');
  await page.context().setOffline(false);
  await tileIn(page, 'Triage', 'While away').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  await page.context().close();
});

test('a burst of a thousand events loses none', async () => {
  const { page, faults } = await on.openBoard();
  const cards = Array.from({ length: 100 }, (_, index) => ({
    title: `Burst ${index}`,
    column_id: on.stage.column('Ready'),
  }));
  const made = await on.stage.client.cards.createBatch(SLUG, cards);
  const ids = made.items.map(({ card }) => card?.id ?? '');
  for (const priority of [1, 2, 3, 4]) await on.stage.client.cards.bulk(SLUG, { ids, patch: { priority } });
  for (const name of ['Triage', 'To do', 'Triage', 'To do', 'Triage']) {
    await on.stage.client.cards.bulk(SLUG, { ids, move: { column_id: on.stage.column(name) } });
  }
  const { columns } = await on.stage.client.boards.get(SLUG);
  const counts = columns.find(({ name }) => name === 'Triage')?.counts ?? {};
  const expected = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const triage = page.locator('[data-column]', { has: page.getByRole('heading', { name: 'Triage' }) });
  await expect
    .poll(async () => triage.locator('.count-chip').innerText(), { timeout: 60_000 })
    .toBe(String(expected));
  await expect
    .poll(async () => page.locator('[data-column] .count-chip').allInnerTexts())
    .toEqual([String(expected), '0', '0', '0', '0', '0']);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('a hidden tab asks for nothing, a visible idle one at most every two seconds, and one that is looked at again catches up', async () => {
  const { page } = await on.openBoard();
  const requests = requestsOf(page);
  const events = (): number => requests.filter((path) => path.endsWith('/events')).length;
  // Once what has happened before is caught up with, each look at the feed is one request.
  await waitUntil('the page to be idle', 60_000, async () => {
    const seen = events();
    await page.evaluate(async () => new Promise((done) => setTimeout(done, 1_500)));
    return events() - seen <= 1;
  });
  const began = performance.now();
  const before = requests.length;
  await waitUntil('four more', 30_000, () => requests.length >= before + 4);
  // Four requests are three or four pauses of two seconds; timers are never early.
  expect(performance.now() - began).toBeGreaterThan(5_500);
  await setHidden(page, true);
  // What was under way when it was hidden may still end; the time of three looks goes by on the page's own clock.
  await page.evaluate(async () => new Promise((done) => setTimeout(done, 2_500)));
  const hiddenAt = requests.length;
  await page.evaluate(async () => new Promise((done) => setTimeout(done, 6_000)));
  expect(requests.length).toBe(hiddenAt);
  await on.stage.create('Review', 'Made at night');
  await setHidden(page, false);
  await tileIn(page, 'Review', 'Made at night').waitFor({ timeout: NEWS_LIMIT_MS });
  await page.context().close();
});

test('a token that is revoked ends at the door, with the reason', async () => {
  const guest = await on.stage.client.tokens.create({ name: 'guest', scopes: ['member'] });
  const { page } = await openPage(on.browser, { url: on.stage.url, token: guest.token }, `/boards/${SLUG}`);
  await page.getByText('Live', { exact: true }).waitFor();
  expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0);
  // The server hears of a revocation within a minute; what it says from then on is said here at once.
  const problem = { type: 'x', title: 'Unauthenticated', status: 401, code: 'unauthenticated' };
  await page.route('**/events*', async (route) =>
    route.fulfill({ status: 401, contentType: 'application/problem+json', body: JSON.stringify(problem) }),
  );
  await page.getByText('expired or was revoked').waitFor();
  await page.context().close();
});

const HOSTILE = [
  '<script>window.pwned = 1</script>',
  '<img src=x onerror="window.pwned = 1">',
  '[click](javascript:window.pwned=1)',
  '[click](data:text/html;base64,PHNjcmlwdD4=)',
  '![x](https://evil.example/track.png)',
  '[a](<javascript:alert(1)>)',
  '`<b>`',
  '**<iframe src="https://evil.example">**',
  '[]()',
  '*'.repeat(2_000),
  '['.repeat(2_000),
  '> '.repeat(500),
  '- '.repeat(500),
].join('\n\n');

test('hostile text stays text: in titles, bodies, comments, notes, reasons and results', async () => {
  const title = '<img src=x onerror="window.pwned=1">';
  const card = await on.stage.create('Ready', title, {
    body: HOSTILE,
    labels: ['<b>bold</b>'],
    tenant: '"><svg>',
  });
  await on.stage.client.comments.create(card.id, HOSTILE);
  const { lease_id, lease_token } = await on.stage.claim(card, 'agent-1');
  await on.stage.client.leases.renew(lease_id, { lease_token, note: title, progress: 1 });
  await on.stage.client.leases.block(lease_id, { lease_token, reason: title });
  const { page, faults } = await openPage(on.browser, on.stage, `/boards/${SLUG}/cards/${card.id}`);
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(on.stage.url)) outside.push(request.url());
  });
  await drawer(page).getByText('<script>window.pwned = 1</script>').first().waitFor();
  await drawer(page).getByRole('tab', { name: /Runs/ }).click();
  await drawer(page)
    .getByRole('tab', { name: /History/ })
    .click();
  await drawer(page).getByRole('listitem').first().waitFor();
  expect(await page.evaluate(() => 'pwned' in window)).toBe(false);
  const links = await page
    .locator('a')
    .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).protocol));
  expect(links.filter((protocol) => !['http:', 'https:', 'mailto:'].includes(protocol))).toEqual([]);
  expect(await page.locator('.markdown img, .markdown script, .markdown iframe').count()).toBe(0);
  expect(outside).toEqual([]);
  expect(faults).toEqual([]);
  await page.context().close();
});
