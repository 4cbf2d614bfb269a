/** The tokens of an installation, as an admin keeps them. */
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LeaseboardClient } from '../../client/index.ts';
import { openPage, type Watched } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
import { SLUG } from './support/stage.ts';

const on = setUp();
let watched: Watched;
let page: Page;

beforeEach(async () => {
  watched = await openPage(on.browser, on.stage, '/tokens');
  page = watched.page;
  await page.getByRole('listitem').filter({ hasText: 'you' }).waitFor();
});

afterEach(async () => {
  expect(watched.faults).toEqual([]);
  await page.context().close();
});

const row = (name: string): Locator => page.getByRole('listitem').filter({ hasText: name });

const press = async (within: Locator, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();

const clientOf = (token: string): LeaseboardClient =>
  new LeaseboardClient({ url: on.stage.url, token, retries: 0 });

/** Made by the form. @returns the token that is shown. */
async function make(name: string, more: (form: Locator) => Promise<void> = async () => {}): Promise<string> {
  await page.getByRole('button', { name: 'New token' }).click();
  const form = page.getByRole('dialog', { name: 'New token' });
  await form.getByLabel('Name').fill(name);
  await more(form);
  await press(form, 'Create');
  return takeToken(name);
}

/** Reads the token and closes what shows it. */
async function takeToken(name: string): Promise<string> {
  const shown = page.getByRole('dialog', { name: `Token ${name}` });
  const token = await shown.getByLabel('Token', { exact: true }).inputValue();
  await press(shown, 'Close');
  await shown.waitFor({ state: 'detached' });
  return token;
}

test('a token is made for one board and one agent, is shown once, and lets in as what it is', async () => {
  const token = await make('fleet-night', async (form) => {
    await form.getByLabel(/^On(?!ly)/).selectOption({ label: 'Stage' });
    await form.getByLabel(/Only as this agent/).fill('night-1');
  });
  await row('fleet-night').getByText('worker', { exact: true }).waitFor();
  await row('fleet-night').getByText('Stage · only as night-1').waitFor();
  const me = await clientOf(token).system.me();
  expect(me).toMatchObject({ scopes: ['worker'], board_id: on.stage.board.id, agent: 'night-1' });
  await page.reload();
  await row('fleet-night').waitFor();
  expect(await page.content()).not.toContain(token);
});

test('what is shown once can be copied, and is selected where the browser has no clipboard', async () => {
  await page.evaluate(() => Object.defineProperty(navigator, 'clipboard', { value: undefined }));
  await page.getByRole('button', { name: 'New token' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('copied');
  await press(page.getByRole('dialog'), 'Create');
  const shown = page.getByRole('dialog', { name: 'Token copied' });
  const token = await shown.getByLabel('Token', { exact: true }).inputValue();
  await press(shown, 'Copy');
  await expect.poll(async () => page.evaluate(() => window.getSelection()?.toString())).toBe(token);
});

test('a rotated token gets a new secret, shown once; the old one opens for a day still', async () => {
  const old = await make('turning');
  await press(row('turning'), 'Rotate');
  await press(page.getByRole('dialog', { name: 'Rotate turning?' }), 'Rotate');
  const fresh = await takeToken('turning');
  expect(fresh).not.toBe(old);
  const [before, after] = [await clientOf(old).system.me(), await clientOf(fresh).system.me()];
  expect(after.token_id).toBe(before.token_id);
});

test('a revoked token is asked about first, leaves the list, and opens nothing', async () => {
  const token = await make('leaving');
  await press(row('leaving'), 'Revoke');
  await press(page.getByRole('dialog', { name: 'Revoke leaving?' }), 'Cancel');
  await row('leaving').waitFor();
  await press(row('leaving'), 'Revoke');
  await press(page.getByRole('dialog', { name: 'Revoke leaving?' }), 'Revoke');
  await row('leaving').waitFor({ state: 'detached' });
  await expect(clientOf(token).boards.get(SLUG)).rejects.toMatchObject({ code: 'unauthenticated' });
});
