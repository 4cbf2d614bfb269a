/** The sums of docs/cost.md: each product is right, and what adds up adds up. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const TEXT = readFileSync(new URL('../../docs/cost.md', import.meta.url), 'utf8');
const PRODUCT = /([\d.,]+) × \$([\d.,]+) = \$([\d.,]+\d)/g;
const CENT = 0.01;

const number = (text: string | undefined): number => Number((text ?? '').replaceAll(',', ''));

it('each product is the product', () => {
  const products = [...TEXT.matchAll(PRODUCT)];
  expect(products.length).toBeGreaterThan(12);
  for (const [whole, count, price, sum] of products) {
    expect(Math.abs(number(count) * number(price) - number(sum)), whole).toBeLessThan(CENT);
  }
});

it.each([
  ['reference', 1, 32.48],
  ['small', 2, 17.66],
])('the parts of the %s job add up', (_name, cell, total) => {
  const [, section = ''] = TEXT.split('## A million jobs');
  const rows = section.split('On top')[0]?.split('\n') ?? [];
  const parts = rows
    .map((row) => row.split('|')[cell + 1] ?? '')
    .flatMap((text) => [...text.matchAll(PRODUCT)].map((match) => number(match[3])));
  expect(parts).toHaveLength(4);
  expect(parts.reduce((sum, part) => sum + part, 0)).toBeCloseTo(total, 2);
  expect(section).toContain(`**$${total}**`);
});
