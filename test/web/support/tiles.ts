/** Where things are on the page, by what a person or a screen reader would call them. */
import type { Locator, Page } from 'playwright-core';

export const column = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** The tile of a card, wherever it stands. */
export const tile = (within: Page | Locator, title: string): Locator =>
  within.locator('article').filter({ hasText: title });

export const tileIn = (page: Page, name: string, title: string): Locator => tile(column(page, name), title);

export const drawer = (page: Page): Locator => page.getByRole('complementary');

/** Answers a question that asks for a reason. */
export async function giveReason(page: Page, reason: string, confirm: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox').fill(reason);
  await dialog.getByRole('button', { name: confirm }).click();
}
