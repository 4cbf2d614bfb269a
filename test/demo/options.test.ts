import { describe, expect, test } from 'vitest';
import { parseRunOptions } from '../../demo/fleet/options.ts';

const parse = (...args: string[]) => parseRunOptions(args, 0.5);

describe('npm run demo', () => {
  test('without options works off 500 cards with 30 kills, a random seed and a server of its own', () => {
    expect(parse()).toEqual({ cards: 500, kills: 30, seed: 2_147_483_647, server: null });
  });

  test('takes cards, kills, seed and a server that runs', () => {
    expect(
      parse('--cards', '20', '--kill', '3', '--seed', '7', '--url', 'http://127.0.0.1:8787', '--token', 't'),
    ).toEqual({ cards: 20, kills: 3, seed: 7, server: { url: 'http://127.0.0.1:8787', token: 't' } });
  });

  test('answers null when help is asked for', () => {
    expect(parse('--help')).toBeNull();
  });

  test.each([
    [['--cards', '0'], '--cards takes a whole number from 1 to 10000, not "0"'],
    [['--cards', '10', '--kill', '11'], '--kill takes a whole number from 0 to 10, not "11"'],
    [['--seed', 'x'], '--seed takes a whole number'],
    [['--url', 'http://127.0.0.1:1'], '--url and --token go together'],
    [['--url', 'nowhere', '--token', 't'], '--url takes an address'],
    [['--workers', '3'], '--workers'],
  ])('refuses %j and says what to write', (args, message) => {
    expect(() => parse(...args)).toThrow(message);
  });
});
