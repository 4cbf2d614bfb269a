/** People sign in with an identity provider: in a real browser, against the whole stack and a provider beside it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axe from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { launchBrowser } from './support/browser.ts';
import { CLIENT_ID, HONEST, startIssuer, type Issuer } from './support/issuer.ts';
import { setStage, SLUG, type Stage } from './support/stage.ts';
import { drawer, tileIn } from './support/tiles.ts';

const PATIENCE = { timeout: 20_000 };

let issuer: Issuer;
let stage: Stage;
let browser: Browser;
let folder: string;
let page: Page;
/** Addresses that the page called, the answers of the provider left out. */
let called: string[];
let faults: string[];

beforeAll(async () => {
  issuer = await startIssuer();
  folder = mkdtempSync(join(tmpdir(), 'leaseboard-oidc-'));
  const file = join(folder, 'oidc.json');
  const settings = {
    issuer: issuer.url,
    audience: CLIENT_ID,
    group_scopes: { supervisors: 'member' },
    provider: 'Example',
  };
  writeFileSync(file, JSON.stringify(settings));
  stage = await setStage(['--oidc', file]);
  browser = await launchBrowser();
});

afterAll(async () => {
  await browser.close();
  await stage.stop();
  issuer.stop();
  rmSync(folder, { recursive: true });
});

beforeEach(() => {
  Object.assign(issuer.behaviour, HONEST);
});

afterEach(async () => {
  expect(faults).toEqual([]);
  await page.context().close();
});

/** A browser of its own in which nobody is signed in. */
async function open(path: string, options: BrowserContextOptions = {}): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 950 }, ...options });
  context.setDefaultTimeout(PATIENCE.timeout);
  page = await context.newPage();
  called = [];
  faults = [];
  page.on('request', (request) => called.push(request.url()));
  page.on('pageerror', (error) => faults.push(String(error.stack)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  await page.goto(stage.url + path);
}

async function signIn(): Promise<void> {
  await page.getByRole('button', { name: 'Sign in with Example' }).click();
  await page.getByRole('link', { name: 'Continue as Ada' }).click();
}

const kept = async (): Promise<string> => page.evaluate(() => JSON.stringify([localStorage, sessionStorage]));

test('a person signs in with the provider, and is where they wanted to be, filters and card included', async () => {
  const card = await stage.create('Ready', 'Feed the cat', { labels: ['pets'] });
  const path = `/boards/${SLUG}/cards/${card.id}?label=pets`;
  await open(path);
  await signIn();
  await drawer(page).getByRole('heading', { name: 'Feed the cat' }).waitFor();
  expect(page.url()).toBe(stage.url + path);
  await page.getByText('ada@example.com').waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
});

test('the question proves nothing by itself: state, nonce and the hash of a secret that stays in the browser', async () => {
  await open('/');
  await signIn();
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
  const question = issuer.questions.at(-1);
  expect(Object.fromEntries(question ?? [])).toMatchObject({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: `${stage.url}/sign-in`,
    code_challenge_method: 'S256',
    scope: 'openid profile email',
  });
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(question?.get(name)).toMatch(/^[\w-]{43}$/);
  }
  const verifier = issuer.exchanges.at(-1)?.body.get('code_verifier') ?? '';
  expect(verifier).toMatch(/^[\w-]{43}$/);
  expect(called.join(' ')).not.toContain(verifier);
});

test('the token is in no address, in this tab alone, and a reload stays signed in', async () => {
  await open('/');
  await signIn();
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
  expect(page.url()).toBe(`${stage.url}/`);
  const { id_token } = JSON.parse(
    (await page.evaluate(() => sessionStorage.getItem('leaseboard.grant'))) ?? '{}',
  ) as { id_token: string };
  expect(id_token.split('.')).toHaveLength(3);
  expect(called.join(' ')).not.toContain(id_token);
  expect(await page.evaluate(() => localStorage.length)).toBeLessThan(20);
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(id_token);
  await page.reload();
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in with Example' }).waitFor();
  expect(await kept()).not.toContain(id_token);
});

test('a return that this tab did not ask for is refused before anything is sent, and ends no session', async () => {
  const exchanges = issuer.exchanges.length;
  await open('/sign-in?code=stolen&state=made-up');
  await page.getByText('not begun in this tab').waitFor();
  expect(page.url()).toBe(`${stage.url}/`);
  expect(issuer.exchanges).toHaveLength(exchanges);
  await signIn();
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
  await page.goto(`${stage.url}/sign-in?code=stolen&state=made-up`);
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
  expect(issuer.exchanges).toHaveLength(exchanges + 1);
});

test('a token that answers another question is not taken', async () => {
  issuer.behaviour.nonce = 'of-somebody-else';
  await open('/');
  await signIn();
  await page.getByText('answers another sign-in').waitFor();
  expect(await kept()).not.toContain('id_token');
});

test('the provider’s refusal and the server’s own are told, and the door stays open', async () => {
  issuer.behaviour.refusal = 'Ada has left';
  await open('/');
  await signIn();
  await page.getByRole('alert').getByText('Ada has left').waitFor();
  Object.assign(issuer.behaviour, HONEST, { groups: ['visitors'] });
  await signIn();
  await page.getByRole('alert').getByText('None of your groups has a scope here').waitFor();
  issuer.behaviour.groups = HONEST.groups;
  await signIn();
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
});

test('a token about to end is renewed unseen, each refresh token used once', async () => {
  issuer.behaviour.life = 5;
  await open(`/boards/${SLUG}`);
  await signIn();
  await page.getByText('Live', { exact: true }).waitFor();
  const renewals = () => issuer.exchanges.filter(({ body }) => body.get('grant_type') === 'refresh_token');
  const before = renewals().length;
  await expect.poll(() => renewals().length, PATIENCE).toBeGreaterThan(before + 2);
  expect(renewals().every(({ ok }) => ok)).toBe(true);
  await stage.create('Ready', 'Came after the renewal');
  await tileIn(page, 'Ready', 'Came after the renewal').waitFor();
  await page.reload();
  await tileIn(page, 'Ready', 'Came after the renewal').waitFor();
});

test('a session that the provider ends says so, and signing in again loses nothing', async () => {
  issuer.behaviour.life = 5;
  const card = await stage.create('Ready', 'Water the roses');
  const path = `/boards/${SLUG}/cards/${card.id}?q=roses`;
  await open(path);
  await signIn();
  await drawer(page).getByRole('textbox', { name: 'Comment' }).fill('Not at noon');
  issuer.behaviour.refusal = 'Session ended';
  await page.getByText('Your session has ended').waitFor();
  expect(page.url()).toBe(stage.url + path);
  Object.assign(issuer.behaviour, HONEST);
  await signIn();
  await drawer(page).getByRole('heading', { name: 'Water the roses' }).waitFor();
  expect(page.url()).toBe(stage.url + path);
  await expect
    .poll(() => drawer(page).getByRole('textbox', { name: 'Comment' }).inputValue())
    .toBe('Not at noon');
});

test('a token of the API opens the same door', async () => {
  await open('/');
  await page.getByRole('button', { name: 'Sign in with Example' }).waitFor();
  await page.getByLabel('Token', { exact: true }).fill(stage.token);
  await page.getByLabel('Token', { exact: true }).press('Enter');
  await page.getByRole('heading', { name: 'Boards' }).waitFor();
});

test.for(['light', 'dark'] as const)(
  'the door is clean by axe in %s, and opens by keyboard',
  async (colorScheme, { expect }) => {
    await open('/', { colorScheme, bypassCSP: true });
    const button = page.getByRole('button', { name: 'Sign in with Example' });
    await button.waitFor();
    await page.evaluate(axe.source);
    const violations = await page.evaluate(async () => {
      const tool = (globalThis as unknown as { axe: typeof axe }).axe;
      return (await tool.run(document)).violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
    });
    expect(violations).toEqual([]);
    await page.keyboard.press('Tab');
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Continue as Ada' }).waitFor();
  },
);
