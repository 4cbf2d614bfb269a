import { describe, expect, test } from 'vitest';
import { readBacklog, repeated } from '../../demo/backlog.ts';
import { doomedClaims, fateOf, type Fate } from '../../demo/fleet/plan.ts';

const CARDS = Array.from({ length: 500 }, (_, index) => index + 1);

describe('the plan of a run', () => {
  test('kills as many claims as asked for, all among those that are certain to come', () => {
    const doomed = doomedClaims(7, 30, 500);
    expect(doomed.size).toBe(30);
    expect(Math.max(...doomed)).toBeLessThanOrEqual(450);
    expect(Math.min(...doomed)).toBeGreaterThanOrEqual(1);
  });

  test('kills every claim when as many kills as cards are asked for', () => {
    expect(doomedClaims(7, 5, 5)).toEqual(new Set([1, 2, 3, 4, 5]));
  });

  test('is the same for the same seed and another for another', () => {
    const fates = (seed: number): Fate[] => CARDS.map((card) => fateOf(seed, card, 1));
    expect(fates(7)).toEqual(fates(7));
    expect(fates(7)).not.toEqual(fates(8));
    expect(doomedClaims(7, 30, 500)).toEqual(doomedClaims(7, 30, 500));
    expect(doomedClaims(7, 30, 500)).not.toEqual(doomedClaims(8, 30, 500));
  });

  test('holds every fate, and mostly the good one', () => {
    const fates = CARDS.map((card) => fateOf(7, card, 1));
    expect(new Set(fates)).toEqual(new Set(['finish', 'long', 'fail', 'busy', 'poison', 'hopeless']));
    expect(fates.filter((fate) => fate === 'finish').length).toBeGreaterThan(400);
  });

  test('lets a poisoned card fail at every attempt and others recover', () => {
    const poisoned = CARDS.filter((card) => fateOf(7, card, 1) === 'poison');
    const failed = CARDS.filter((card) => fateOf(7, card, 1) === 'fail');
    expect(poisoned.every((card) => fateOf(7, card, 5) === 'poison')).toBe(true);
    expect(failed.some((card) => fateOf(7, card, 2) === 'finish')).toBe(true);
  });
});

describe('the backlog', () => {
  test('holds 56 real reports, each with a title and a body', async () => {
    const backlog = await readBacklog();
    expect(backlog).toHaveLength(56);
    expect(backlog.every((card) => card.title !== '' && (card.body ?? '') !== '')).toBe(true);
  });

  test('is repeated to any length, each card with its own number', async () => {
    const cards = repeated(await readBacklog(), 120);
    expect(cards.map((card) => card.properties?.['demo_number'])).toEqual(
      Array.from({ length: 120 }, (_, index) => index + 1),
    );
    expect(cards[56]?.title).toBe(cards[0]?.title);
    expect(cards[0]?.properties).toHaveProperty('source');
  });
});
