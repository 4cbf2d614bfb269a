/** What a file of browser tests stands on: begun before its first test, ended after its last. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { launchBrowser, openPage, type Watched } from './browser.ts';
import { setStage, SLUG, type Stage } from './stage.ts';

/** A stack starts in seconds; on a machine that is busy with other tests it may take minutes. */
const PATIENCE_MS = 300_000;

export interface SetUp {
  readonly stage: Stage;
  readonly browser: Browser;
  /** The board, or another page of it, signed in as an admin; once it follows what happens. */
  openBoard(below?: string): Promise<Watched>;
}

/** Called at the top of a file. The stack and the browser are there from its first test on. */
export function setUp(): SetUp {
  let stage: Stage | null = null;
  let browser: Browser | null = null;
  beforeAll(async () => {
    stage = await setStage();
    browser = await launchBrowser();
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser?.close();
    await stage?.stop();
  });
  const begun = <Part>(part: Part | null): Part => {
    if (part === null) throw new Error('Nothing is set up yet: only tests and their hooks may use it');
    return part;
  };
  return {
    get stage() {
      return begun(stage);
    },
    get browser() {
      return begun(browser);
    },
    openBoard: async (below = '') => {
      const watched = await openPage(begun(browser), begun(stage), `/boards/${SLUG}${below}`);
      await watched.page.getByText('Live', { exact: true }).waitFor();
      return watched;
    },
  };
}
