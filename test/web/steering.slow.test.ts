/** What a person does about work that goes the wrong way: stop it, take it over, link it, bring it back. */
import type { Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Watched } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
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

test('a worker is asked to stop: it hears the reason at its next heartbeat, and the tile says that it was asked', async () => {
  const card = await on.stage.create('Ready', 'Dig the well');
  const { lease_id, lease_token } = await on.stage.claim(card, 'digger-1');
  const shown = tileIn(page, 'Ready', 'Dig the well');
  await shown.and(page.locator('[data-status=working]')).getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Ask to stop' }).click();
  await giveReason(page, 'The water is somewhere else', 'Ask to stop');
  await shown.getByText('Asked to stop: The water is somewhere else').waitFor();
  await drawer(page).getByRole('button', { name: 'Ask to stop' }).waitFor({ state: 'detached' });
  const { signals } = await on.stage.client.leases.renew(lease_id, { lease_token });
  expect(signals.cancel_requested).toMatchObject({ reason: 'The water is somewhere else' });
  await on.stage.client.leases.release(lease_id, { lease_token });
  await shown.and(page.locator('[data-status=ready]')).waitFor();
});

test('asking is thought better of without a reason, and nothing has happened', async () => {
  const card = await on.stage.create('Ready', 'Fell the oak');
  const { lease_id, lease_token } = await on.stage.claim(card, 'feller-1');
  await tileIn(page, 'Ready', 'Fell the oak').getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Ask to stop' }).click();
  const dialog = page.getByRole('dialog');
  expect(await dialog.getByRole('button', { name: 'Ask to stop' }).isDisabled()).toBe(true);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  const { signals } = await on.stage.client.leases.renew(lease_id, { lease_token });
  expect(signals.cancel_requested).toBeNull();
  await on.stage.client.leases.release(lease_id, { lease_token });
});

test('work is taken over with a reason, which its run keeps, and the worker’s lease is lost', async () => {
  const card = await on.stage.create('Ready', 'Paint the bridge');
  const { lease_id, lease_token } = await on.stage.claim(card, 'painter-9');
  const shown = tileIn(page, 'Ready', 'Paint the bridge');
  await shown.and(page.locator('[data-status=working]')).getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Take back' }).click();
  await giveReason(page, 'Wrong colour', 'Take it back');
  await shown.and(page.locator('[data-status=ready]')).waitFor();
  const late = on.stage.client.leases.complete(lease_id, { lease_token });
  await expect(late).rejects.toMatchObject({ code: 'lease_lost' });
  await drawer(page).getByRole('tab', { name: /Runs/ }).click();
  const run = drawer(page).getByRole('listitem').filter({ hasText: 'painter-9' });
  await run.getByText('reclaimed').waitFor();
  const { items } = await on.stage.client.cards.runs(card.id);
  expect(items.map(({ outcome, ended_by }) => [outcome, ended_by])).toEqual([['reclaimed', 'admin']]);
  expect((await on.stage.client.cards.get(card.id)).attempt).toBe(1);
});

test('work is taken over from the list of all leases too', async () => {
  const card = await on.stage.create('Ready', 'Sweep the roof');
  await on.stage.claim(card, 'sweeper-1');
  await page.getByRole('navigation', { name: 'Views of this board' }).getByText('In work').click();
  const row = page.getByRole('listitem').filter({ hasText: 'Sweep the roof' });
  await row.getByText('sweeper-1').waitFor();
  await row.getByRole('button', { name: 'Take back' }).click();
  await giveReason(page, 'It rains', 'Revoke the lease');
  await row.waitFor({ state: 'detached' });
  await expect.poll(async () => (await on.stage.client.cards.get(card.id)).state).toBe('ready');
});

test('a link makes a card wait, a wrong key says so, and without the link the card is on offer again', async () => {
  const first = await on.stage.create('To do', 'Lay the bricks');
  const second = await on.stage.create('Ready', 'Plaster the wall');
  await tileIn(page, 'To do', 'Lay the bricks').waitFor();
  await tileIn(page, 'Ready', 'Plaster the wall').getByRole('link').click();
  await drawer(page).getByRole('tab', { name: 'Links' }).click();
  const key = drawer(page).getByLabel('Key of the other card');
  const link = drawer(page).getByRole('button', { name: 'Link', exact: true });
  await key.fill('NO-99');
  await drawer(page).getByText('No card that is shown on this board has this key').waitFor();
  expect(await link.isDisabled()).toBe(true);
  await key.fill(second.key);
  await drawer(page).getByText('A card cannot wait for itself').waitFor();
  await key.fill(first.key.toLowerCase());
  await link.click();
  await drawer(page)
    .getByRole('link', { name: new RegExp(first.key) })
    .waitFor();
  await tileIn(page, 'Ready', 'Plaster the wall')
    .getByText(/^Waits for .*unfinished/)
    .waitFor();
  expect((await on.stage.client.links.list(second.id)).parents.map(({ id }) => id)).toEqual([first.id]);
  await drawer(page)
    .getByRole('button', { name: `Remove the link to ${first.key}` })
    .click();
  await tileIn(page, 'Ready', 'Plaster the wall').and(page.locator('[data-status=ready]')).waitFor();
  expect((await on.stage.client.links.list(second.id)).parents).toEqual([]);
});

test('a link that would close a circle is refused with the server’s own reason, and is not shown', async () => {
  const first = await on.stage.create('To do', 'The hen');
  const second = await on.stage.create('To do', 'The egg');
  await on.stage.client.links.create(second.id, { parent_id: first.id });
  await tileIn(page, 'To do', 'The hen').getByRole('link').click();
  await tileIn(page, 'To do', 'The egg').waitFor();
  await drawer(page).getByRole('tab', { name: 'Links' }).click();
  await drawer(page).getByLabel('Key of the other card').fill(second.key);
  await drawer(page).getByRole('button', { name: 'Link', exact: true }).click();
  await page.getByRole('alert').getByText('The link was not made').waitFor();
  expect((await on.stage.client.links.list(first.id)).parents).toEqual([]);
});

test('what is done is reopened, and what is archived is brought back from among the archived', async () => {
  const card = await on.stage.create('Ready', 'Wind the clock');
  await on.stage.client.cards.complete(card.id);
  await tileIn(page, 'Done', 'Wind the clock').getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Reopen' }).click();
  await tileIn(page, 'Ready', 'Wind the clock').and(page.locator('[data-status=ready]')).waitFor();
  await drawer(page).getByRole('button', { name: 'Archive' }).click();
  await expect.poll(() => tile(page, 'Wind the clock').count()).toBe(0);
  await drawer(page).getByRole('button', { name: 'Close card' }).click();
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByLabel('Show archived').check();
  const archived = tile(page, 'Wind the clock').and(page.locator('[data-status=archived]'));
  await archived.getByRole('link').click();
  await drawer(page).getByRole('button', { name: 'Unarchive' }).click();
  await tileIn(page, 'Ready', 'Wind the clock').and(page.locator('[data-status=ready]')).waitFor();
  expect((await on.stage.client.cards.get(card.id)).state).toBe('ready');
});
