/** Debian's Chromium, driven by Playwright, and what a page said that it should not have. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';

const EXECUTABLES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
/** It runs as root in a container, draws without a graphics card, and calls nobody. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
/** Two cores are shared with the stack, its database and other tests. */
const PATIENCE_MS = 20_000;

export async function launchBrowser(): Promise<Browser> {
  const executablePath = EXECUTABLES.find((path) => existsSync(path));
  if (executablePath === undefined) {
    throw new Error(`There is no Chromium at ${EXECUTABLES.join(' or ')}: apt-get install chromium`);
  }
  return chromium.launch({ executablePath, args: ARGUMENTS });
}

export interface Watched {
  readonly page: Page;
  /** Errors on the console, exceptions, refusals by the content security policy. */
  readonly faults: readonly string[];
}

/** A browser of its own, signed in by the address that `npm start` prints, at `path`. */
export async function openPage(
  browser: Browser,
  stack: { readonly url: string; readonly token: string },
  path: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 950 }, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(String(error.stack)));
  page.on('console', (message) => {
    // A refusal by the server is the server's to say; the browser logs each of them too.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) {
      faults.push(message.text());
    }
  });
  await page.goto(`${stack.url}${path}#token=${stack.token}`);
  await page.locator('main').waitFor();
  return { page, faults };
}
