/** What a worker's token sees: the board, and nothing to change it with. */
import { expect, test } from 'vitest';
import { openPage } from './support/browser.ts';
import { setUp } from './support/set-up.ts';
import { SLUG } from './support/stage.ts';
import { drawer, tileIn } from './support/tiles.ts';

const on = setUp();

test('with a worker’s token the board says that it is read-only, and offers no move, no pause and no redrive', async () => {
  await on.stage.create('Ready', 'Look, do not touch');
  const { token } = await on.stage.client.tokens.create({ name: 'looker', scopes: ['worker'] });
  const { page, faults } = await openPage(on.browser, { url: on.stage.url, token }, `/boards/${SLUG}`);
  await page.getByText('Read-only', { exact: true }).waitFor();
  await tileIn(page, 'Ready', 'Look, do not touch').getByRole('link').click();
  await drawer(page).getByRole('heading', { name: 'Look, do not touch' }).waitFor();
  for (const name of [/^Move/, /^Pause/, /Redrive/, /^Edit/, /^Archive/]) {
    expect(await page.getByRole('button', { name }).count(), String(name)).toBe(0);
  }
  expect(await page.getByRole('link', { name: /Webhooks|Tokens/ }).count()).toBe(0);
  expect(faults).toEqual([]);
  await page.context().close();
});
