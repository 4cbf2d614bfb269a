/** What a supervisor sees and does: every story in a real browser, against the whole stack. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openPage, type Watched } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
import { SLUG } from './support/stage.ts';
import { drawer, giveReason, tile, tileIn } from './support/tiles.ts';

const on = setUp();
let watched: Watched;
let page: Page;

beforeEach(async () => {
  watched = await on.openBoard();
  page = watched.page;
});

afterEach(async () => {
  expect(watched.faults).toEqual([]);
  await page.context().close();
});

test('the token is taken out of the address at once, and a reload stays signed in', async () => {
  expect(page.url()).not.toContain('token');
  await page.reload();
  await page.getByRole('heading', { name: 'Stage' }).waitFor();
});

test('a wrong token is refused at the door, and the right one opens it', async () => {
  const stranger = await openPage(on.browser, { url: on.stage.url, token: `lb_no_${'x'.repeat(32)}` }, '/');
  await stranger.page.getByText('no longer good').waitFor();
  await stranger.page.getByLabel('Token', { exact: true }).fill(on.stage.token);
  await stranger.page.getByRole('button', { name: 'Sign in' }).click();
  await stranger.page.getByRole('heading', { name: 'Boards' }).waitFor();
  expect(stranger.faults).toEqual([]);
  await stranger.page.context().close();
});

test('a claimed card lights up with its holder, attempt, progress and note, and slides to Done when completed', async () => {
  const card = await on.stage.create('Ready', 'Paint the fence');
  await tileIn(page, 'Ready', 'Paint the fence').waitFor();
  const { lease_id, lease_token } = await on.stage.claim(card, 'painter-1');
  const lit = tileIn(page, 'Ready', 'Paint the fence').and(page.locator('[data-status=working]'));
  await lit.getByText('painter-1').waitFor();
  await lit.getByText('attempt 1/5').waitFor();
  await on.stage.client.leases.renew(lease_id, { lease_token, progress: 40, note: 'second coat' });
  await lit.getByText('second coat').waitFor();
  await lit.getByRole('progressbar', { name: 'Progress: 40 of 100' }).waitFor();
  await on.stage.client.leases.complete(lease_id, { lease_token, summary: 'White, two coats' });
  await tileIn(page, 'Done', 'Paint the fence').waitFor();
  expect(await tileIn(page, 'Ready', 'Paint the fence').count()).toBe(0);
});

test('a card whose worker dies says so, and returns to work with the next one', async () => {
  const card = await on.stage.create('Ready', 'Mow the lawn');
  await on.stage.claim(card, 'mower-1', 5);
  const shown = tileIn(page, 'Ready', 'Mow the lawn');
  await shown.and(page.locator('[data-status=lost]')).getByText('mower-1 went quiet').waitFor();
  const next = await on.stage.claim(card, 'mower-2');
  const lit = shown.and(page.locator('[data-status=working]'));
  await lit.getByText('mower-2').waitFor();
  await lit.getByText('attempt 2/5').waitFor();
  await on.stage.client.leases.complete(next.lease_id, { lease_token: next.lease_token });
});

test('a blocked card says what is missing, waits for people in one click, and is unblocked from its drawer', async () => {
  const card = await on.stage.create('Ready', 'Order the bricks');
  const { lease_id, lease_token } = await on.stage.claim(card, 'buyer-1');
  await on.stage.client.leases.block(lease_id, {
    lease_token,
    kind: 'needs_input',
    reason: 'Red or yellow bricks?',
  });
  await tileIn(page, 'Blocked', 'Order the bricks').getByText('Needs input: Red or yellow bricks?').waitFor();
  await page.getByRole('button', { name: /Waits for people/ }).click();
  await tile(page, 'Order the bricks').getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Unblock' }).click();
  await page.getByRole('button', { name: /Waits for people/ }).click();
  await tileIn(page, 'Ready', 'Order the bricks').waitFor();
  expect(page.url()).toContain(`/cards/${card.id}`);
});

test('a dead card tells its last error among the dead letters, and a redrive brings it back', async () => {
  const card = await on.stage.create('Ready', 'Tune the piano', { max_attempts: 1 });
  const { lease_id, lease_token } = await on.stage.claim(card, 'tuner-1');
  await on.stage.client.leases.fail(lease_id, { lease_token, reason: 'string 44 is missing' });
  await tileIn(page, 'Ready', 'Tune the piano').and(page.locator('[data-status=dead]')).waitFor();
  await page.getByRole('link', { name: /Dead letters/ }).click();
  await page.getByText('string 44 is missing').first().waitFor();
  await page.getByRole('button', { name: 'Redrive', exact: true }).click();
  await page.getByText('No dead letters').waitFor();
  await expect.poll(async () => (await on.stage.client.cards.get(card.id)).state).toBe('ready');
});

test('dragging a held card asks first; refused it stays, confirmed it revokes the lease', async () => {
  const card = await on.stage.create('Ready', 'Saw the planks');
  const held = await on.stage.claim(card, 'sawyer-1');
  const shown = tileIn(page, 'Ready', 'Saw the planks');
  await shown.and(page.locator('[data-status=working]')).waitFor();
  const target = page.locator('[data-column]', { has: page.getByRole('heading', { name: 'To do' }) });
  await shown.dragTo(target);
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
  expect((await on.stage.client.cards.get(card.id)).lease?.agent).toBe('sawyer-1');
  await shown.dragTo(target);
  await giveReason(page, 'The planks are elsewhere', 'Revoke the lease');
  await tileIn(page, 'To do', 'Saw the planks').waitFor();
  // The board shows it there before the server has answered.
  await expect.poll(async () => (await on.stage.client.cards.get(card.id)).lease).toBeNull();
  await expect(
    on.stage.client.leases.renew(held.lease_id, { lease_token: held.lease_token }),
  ).rejects.toMatchObject({ code: 'lease_lost' });
});

test('a refused move rolls back and shows the server’s own reason', async () => {
  const card = await on.stage.create('To do', 'Buried treasure');
  await tileIn(page, 'To do', 'Buried treasure').waitFor();
  await page.route('**/v1/cards/*:move', async (route) =>
    route.fulfill({
      status: 409,
      contentType: 'application/problem+json',
      body: JSON.stringify({
        type: 'x',
        title: 'Conflict',
        status: 409,
        code: 'conflict',
        detail: 'The map is lost',
      }),
    }),
  );
  await tileIn(page, 'To do', 'Buried treasure').hover();
  await page.getByRole('button', { name: `Move ${card.key} to…` }).click();
  await page.getByRole('listitem').filter({ hasText: 'Triage' }).getByRole('button', { name: 'Top' }).click();
  await page.getByRole('alert').getByText('The map is lost').waitFor();
  await tileIn(page, 'To do', 'Buried treasure').waitFor();
});

test('an edit over somebody else’s shows theirs, and overwrites nothing that was not touched', async () => {
  const card = await on.stage.create('To do', 'Shopping list', { body: 'milk' });
  await tileIn(page, 'To do', 'Shopping list').getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Edit' }).click();
  await drawer(page).getByLabel('Title').fill('Shopping list for Sunday');
  await on.stage.client.cards.update(card.id, { body: 'milk and bread' });
  await drawer(page).getByRole('button', { name: 'Save' }).click();
  await page.getByText('Somebody has changed this card meanwhile').waitFor();
  await page.getByText('milk and bread').first().waitFor();
  await page.getByRole('button', { name: 'Save my fields on top' }).click();
  await drawer(page).getByRole('heading', { name: 'Shopping list for Sunday' }).waitFor();
  const saved = await on.stage.client.cards.get(card.id);
  expect([saved.title, saved.body]).toEqual(['Shopping list for Sunday', 'milk and bread']);
});

test('people create, comment, hold, let go, complete and archive', async () => {
  await page.getByRole('button', { name: 'New card', exact: true }).click();
  await page.getByRole('dialog').getByLabel('Title').fill('Water the plants');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await tileIn(page, 'Ready', 'Water the plants').getByRole('link').click();
  const open = drawer(page);
  await open.getByRole('textbox', { name: 'Comment' }).fill('The **ferns** too');
  await open.getByRole('button', { name: 'Send' }).click();
  await open.locator('strong', { hasText: 'ferns' }).waitFor();
  await open.getByRole('button', { name: 'Hold' }).click();
  await tileIn(page, 'Ready', 'Water the plants').and(page.locator('[data-status=held]')).waitFor();
  await open.getByRole('button', { name: 'Let go' }).click();
  await tileIn(page, 'Ready', 'Water the plants').and(page.locator('[data-status=ready]')).waitFor();
  await open.getByRole('button', { name: 'Complete' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Complete' }).click();
  await tileIn(page, 'Done', 'Water the plants').waitFor();
  await open.getByRole('button', { name: 'Archive' }).click();
  await expect.poll(() => tile(page, 'Water the plants').count()).toBe(0);
});

test('a review is approved, and changes are requested with a reason', async () => {
  const good = await on.stage.create('Ready', 'Write the poem');
  const first = await on.stage.claim(good, 'poet-1');
  const asked = { lease_token: first.lease_token, summary: 'Four lines' };
  await on.stage.client.leases.requestReview(first.lease_id, asked);
  await tileIn(page, 'Review', 'Write the poem').getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Request changes' }).click();
  await giveReason(page, 'It does not rhyme', 'Request changes');
  await tileIn(page, 'Ready', 'Write the poem').waitFor();
  const again = await on.stage.claim(good, 'poet-1');
  await on.stage.client.leases.requestReview(again.lease_id, {
    lease_token: again.lease_token,
    summary: 'Rhymes',
  });
  await tileIn(page, 'Review', 'Write the poem').waitFor();
  await drawer(page).getByRole('button', { name: 'Approve' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
  await tileIn(page, 'Done', 'Write the poem').waitFor();
});

test('a queue is paused and resumed, and its contract edited', async () => {
  await page.getByRole('button', { name: 'Pause Ready' }).click();
  await page.getByText('Paused: nothing is handed out').waitFor();
  expect((await on.stage.client.columns.claimNext(SLUG, on.stage.column('Ready'))).card).toBeNull();
  await page.getByRole('button', { name: 'Resume Ready' }).click();
  await page.getByText('Paused: nothing is handed out').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Settings of Ready' }).click();
  await page.getByLabel('Attempts').fill('0');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('alert').getByText('max_attempts').waitFor();
  await page.getByLabel('Attempts').fill('7');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect((await on.stage.client.columns.contract(SLUG, on.stage.column('Ready'))).max_attempts).toBe(7);
});

test('many cards are moved at once, and each refusal is told by its card', async () => {
  const free = await on.stage.create('To do', 'Bulk one');
  const held = await on.stage.create('Ready', 'Bulk two');
  const claim = await on.stage.claim(held, 'holder-1');
  for (const card of [free, held]) {
    await tile(page, card.title).hover();
    await page.getByLabel(`Select ${card.key}`).check();
  }
  await page.getByLabel('Move the selected cards to').selectOption({ label: 'Triage' });
  await page.getByRole('heading', { name: '1 card was refused' }).waitFor();
  const refused = page.getByRole('dialog').getByRole('listitem').filter({ hasText: held.key });
  await refused.filter({ hasText: 'holder-1' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await tileIn(page, 'Triage', 'Bulk one').waitFor();
  await tileIn(page, 'Ready', 'Bulk two').waitFor();
  await on.stage.client.leases.release(claim.lease_id, { lease_token: claim.lease_token });
});

test('a stuck card is explained, and the named cure gets it going', async () => {
  const card = await on.stage.create('Ready', 'Frozen pipes', { hold: true });
  await page.getByRole('link', { name: 'Why not running' }).click();
  const row = page.getByRole('listitem').filter({ hasText: 'Frozen pipes' });
  await row.getByText('on_hold').waitFor();
  await row.getByRole('button', { name: 'Unhold' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Unhold' }).click();
  await row.waitFor({ state: 'detached' });
  expect((await on.stage.client.cards.get(card.id)).state).toBe('ready');
});
