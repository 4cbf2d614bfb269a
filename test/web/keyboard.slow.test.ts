/** The board without a mouse, for screen readers, and on a phone. */
import axe from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser, openPage } from './support/browser.ts';
import { setStage, SLUG, type Stage } from './support/stage.ts';
import { column, drawer, tile, tileIn } from './support/tiles.ts';

let stage: Stage;
let browser: Browser;

beforeAll(async () => {
  stage = await setStage();
  browser = await launchBrowser();
  await stage.create('Triage', 'First of triage', { labels: ['bug'], tenant: 'acme' });
  await stage.create('Ready', 'First of ready', {
    body: '# Text\n\n- a\n- b\n\n`code`',
    properties: { a: 1 },
  });
  await stage.create('Ready', 'Second of ready', { priority: 9 });
  await stage.create('Ready', 'A draft', { draft: true });
  await stage.create('Ready', 'Held back', { hold: true });
  const held = await stage.create('Ready', 'In work');
  const claim = await stage.claim(held, 'worker-1', 120);
  await stage.client.leases.renew(claim.lease_id, {
    lease_token: claim.lease_token,
    progress: 30,
    note: 'going',
  });
  const dead = await stage.create('Ready', 'A dead one', { max_attempts: 1 });
  const last = await stage.claim(dead, 'worker-2');
  await stage.client.leases.fail(last.lease_id, { lease_token: last.lease_token, reason: 'no more' });
  const blocked = await stage.create('Ready', 'A blocked one');
  await stage.client.cards.block(blocked.id, { reason: 'What colour?' });
  await stage.client.webhooks.create(SLUG, { url: 'http://127.0.0.1:18999/' });
});

afterAll(async () => {
  await browser.close();
  await stage.stop();
});

async function open(path = '', options = {}): Promise<{ page: Page; faults: readonly string[] }> {
  const watched = await openPage(browser, stage, `/boards/${SLUG}${path}`, options);
  await watched.page.getByText('Live', { exact: true }).waitFor();
  return watched;
}

const focused = async (page: Page): Promise<string> =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent ?? '',
  );

test('by keyboard one goes to a card, opens it, closes it, moves it and selects it', async () => {
  const { page, faults } = await open();
  await tile(page, 'First of triage').waitFor();
  await page.keyboard.press('j');
  await expect.poll(() => focused(page)).toContain('First of triage');
  await page.keyboard.press('l');
  await expect.poll(() => focused(page)).toContain('In work');
  await page.keyboard.press('h');
  await expect.poll(() => focused(page)).toContain('First of triage');
  await page.keyboard.press('Enter');
  await drawer(page).getByRole('heading', { name: 'First of triage' }).waitFor();
  await page.keyboard.press('Escape');
  await drawer(page).waitFor({ state: 'detached' });
  await expect.poll(() => focused(page)).toContain('First of triage');
  await page.keyboard.press('Shift+L');
  await tileIn(page, 'To do', 'First of triage').waitFor();
  await expect.poll(() => focused(page)).toContain('First of triage');
  await page.keyboard.press('x');
  await page.getByText('1 selected').waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('m');
  await page.getByRole('listitem').filter({ hasText: 'Triage' }).getByRole('button', { name: 'Top' }).click();
  await tileIn(page, 'Triage', 'First of triage').waitFor();
  await page.getByText('moved to Triage').waitFor({ state: 'attached' });
  await page.keyboard.press('?');
  await page.getByRole('heading', { name: 'Keyboard' }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await page.keyboard.type('acme');
  await expect.poll(() => page.locator('article').count()).toBe(1);
  expect(faults).toEqual([]);
  await page.context().close();
});

test('cards are reordered by dragging and by keyboard, and the order is the server’s', async () => {
  const first = await stage.create('To do', 'Order A');
  const second = await stage.create('To do', 'Order B');
  const { page, faults } = await open();
  const order = async (): Promise<readonly string[]> => {
    const { items } = await stage.client.cards.list(SLUG, { column: stage.column('To do') });
    return items.map(({ id }) => id);
  };
  await tileIn(page, 'To do', 'Order B').dragTo(tileIn(page, 'To do', 'Order A'), {
    targetPosition: { x: 60, y: 4 },
  });
  await expect.poll(order).toEqual([second.id, first.id]);
  await tileIn(page, 'To do', 'Order A').getByRole('link').focus();
  await page.keyboard.press('Shift+K');
  await expect.poll(order).toEqual([first.id, second.id]);
  expect(faults).toEqual([]);
  await page.context().close();
});

/** To another address without loading the page anew, as a link does. */
const go = async (page: Page, path: string): Promise<void> =>
  page.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);

const VIEWS = ['', '/work', '/dead', '/diagnostics', '/activity', '/webhooks'] as const;

test.for([
  ['light', 1_600],
  ['dark', 1_600],
  ['light', 390],
] as const)('every view is clean by axe, %s at %i pixels', async ([colorScheme, width], { expect }) => {
  const { page, faults } = await open('', { colorScheme, viewport: { width, height: 900 }, bypassCSP: true });
  const check = async (what: string): Promise<void> => {
    // An animation half way is of no colour that anybody chose.
    await page.evaluate(async () =>
      Promise.all(document.getAnimations().map(async (one) => one.finish?.call(one))).catch(() => null),
    );
    const violations = await page.evaluate(async () => {
      const tool = (globalThis as unknown as { axe: typeof axe }).axe;
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await tool.run(document, { runOnly: tags });
      return violations.map(
        ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
      );
    });
    expect(violations, what).toEqual([]);
  };
  await page.evaluate(axe.source);
  for (const view of VIEWS) {
    await go(page, `/boards/${SLUG}${view}`);
    await page.locator('main').waitFor();
    await page.getByText('Loading').waitFor({ state: 'detached' });
    await check(`view ${view}`);
  }
  const { items } = await stage.client.cards.list(SLUG, { q: 'First of ready' });
  await go(page, `/boards/${SLUG}/cards/${items[0]?.id ?? ''}`);
  await drawer(page).getByRole('heading', { name: 'First of ready' }).waitFor();
  await check('drawer');
  await drawer(page).getByRole('button', { name: 'Edit' }).click();
  await check('edit');
  for (const path of [`/boards/${SLUG}/columns/${stage.column('Ready')}`, '/tokens', '/']) {
    await go(page, path);
    await page.getByText('Loading').waitFor({ state: 'detached' });
    await check(path);
  }
  expect(faults).toEqual([]);
  await page.context().close();
});

test('on a phone nothing is wider than the screen, and a card moves without dragging', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const { page, faults } = await open('', phone);
  const card = await stage.create('Triage', 'By thumb');
  await page.getByRole('button', { name: `Move ${card.key} to…` }).tap();
  await page.getByRole('listitem').filter({ hasText: 'To do' }).getByRole('button', { name: 'Bottom' }).tap();
  await column(page, 'To do').getByText('By thumb').waitFor();
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(390);
  await page.getByRole('button', { name: 'Menu' }).tap();
  await page.getByRole('link', { name: 'All boards', exact: true }).tap();
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
  expect(faults).toEqual([]);
  await page.context().close();
});
