/** The webhooks of a board, as an admin keeps them: every button, with a receiver at the other end. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/verify-webhook.ts';
import type { Watched } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
import { SLUG } from './support/stage.ts';

interface Received {
  readonly path: string;
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
}

const on = setUp();
const received: Received[] = [];
let address: string;
/** What the receiver answers. */
let status: number;
let watched: Watched;
let page: Page;

beforeAll(async () => {
  const receiver = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray());
    received.push({ path: request.url ?? '', body, headers: request.headers });
    response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  address = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  return () => {
    receiver.closeAllConnections();
    receiver.close();
  };
});

beforeEach(async () => {
  status = 204;
  watched = await on.openBoard('/webhooks');
  page = watched.page;
});

afterEach(async () => {
  expect(watched.faults).toEqual([]);
  await page.context().close();
});

const row = (path: string): Locator => page.getByRole('listitem').filter({ hasText: address + path });

const press = async (within: Locator, name: string): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click();

const sentTo = (path: string): Received[] => received.filter((one) => one.path === path);

/** Made by the form. Of one type only, so that nothing but tests is sent. @returns the secret that is shown. */
async function make(path: string): Promise<string> {
  await page.getByRole('button', { name: 'New webhook' }).click();
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await form.getByLabel('Address').fill(address + path);
  await form.getByLabel(/Types/).fill('card.deleted');
  await press(form, 'Create');
  return takeSecret();
}

/** Reads the secret and closes what shows it. */
async function takeSecret(): Promise<string> {
  const shown = page.getByRole('dialog', { name: /secret/ });
  const secret = await shown.getByLabel('Secret').inputValue();
  await press(shown, 'Close');
  await shown.waitFor({ state: 'detached' });
  return secret;
}

test('a webhook is made, its secret shown once, and a test arrives signed with it', async () => {
  const secret = await make('/made');
  await row('/made').waitFor();
  await page.reload();
  await row('/made').getByText('no event delivered yet').waitFor();
  expect(await page.content()).not.toContain(secret);
  await press(row('/made'), 'Send a test');
  await row('/made').getByText('delivered', { exact: true }).waitFor();
  const [sent] = sentTo('/made');
  if (sent === undefined) throw new Error('Nothing has arrived');
  expect(await verifyWebhook(sent.body, sent.headers, secret)).toMatchObject({ valid: true });
  // A test is no event: what the webhook says of its deliveries stays as it was.
  await row('/made').getByText('no event delivered yet').waitFor();
});

test('an address that may not be one is refused in the form, with the server’s reason, and nothing is made', async () => {
  await page.getByRole('button', { name: 'New webhook' }).click();
  const form = page.getByRole('dialog', { name: 'New webhook' });
  await form.getByLabel('Address').fill('ftp://example.com/');
  await press(form, 'Create');
  await form.getByRole('alert').getByText(/url/).waitFor();
  await press(form, 'Cancel');
  const { items } = await on.stage.client.webhooks.list(SLUG);
  expect(items.filter(({ url }) => url.startsWith('ftp'))).toEqual([]);
});

test('disabled it says so, and enabled it is as before', async () => {
  await make('/switched');
  await press(row('/switched'), 'Disable');
  await row('/switched').getByText('disabled', { exact: true }).waitFor();
  await press(row('/switched'), 'Enable');
  await row('/switched').getByText('enabled', { exact: true }).waitFor();
  const { items } = await on.stage.client.webhooks.list(SLUG);
  expect(items.find(({ url }) => url.endsWith('/switched'))?.enabled).toBe(true);
});

test('a rotated secret is shown once, and for a day the old one and the new one both sign', async () => {
  const old = await make('/rotated');
  await press(row('/rotated'), 'Rotate secret');
  await press(page.getByRole('dialog', { name: 'Rotate the secret?' }), 'Rotate');
  const fresh = await takeSecret();
  expect(fresh).not.toBe(old);
  await press(row('/rotated'), 'Send a test');
  await row('/rotated').getByText('delivered', { exact: true }).waitFor();
  const [sent] = sentTo('/rotated');
  if (sent === undefined) throw new Error('Nothing has arrived');
  for (const secret of [old, fresh]) {
    expect(await verifyWebhook(sent.body, sent.headers, secret)).toMatchObject({ valid: true });
  }
});

test('a delivery that failed says how, and is sent again by hand once the receiver is well', async () => {
  await make('/ill');
  status = 500;
  await press(row('/ill'), 'Send a test');
  await row('/ill')
    .getByText(/^500 in \d+ ms/)
    .waitFor();
  status = 204;
  await row('/ill').getByRole('button', { name: 'Send again' }).first().click();
  await row('/ill').getByText('delivered', { exact: true }).waitFor();
  const ids = sentTo('/ill').map(({ headers }) => headers['webhook-id']);
  expect(ids.length).toBeGreaterThanOrEqual(2);
});

test('a deleted webhook asks first, and is gone', async () => {
  await make('/deleted');
  await press(row('/deleted'), 'Delete');
  await press(page.getByRole('dialog', { name: 'Delete this webhook?' }), 'Cancel');
  await row('/deleted').waitFor();
  await press(row('/deleted'), 'Delete');
  await press(page.getByRole('dialog', { name: 'Delete this webhook?' }), 'Delete');
  await row('/deleted').waitFor({ state: 'detached' });
  const { items } = await on.stage.client.webhooks.list(SLUG);
  expect(items.filter(({ url }) => url.endsWith('/deleted'))).toEqual([]);
});
