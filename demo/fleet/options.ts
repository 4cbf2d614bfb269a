/** The command line of `npm run demo`. */
import { parseArgs } from 'node:util';

export interface RunOptions {
  readonly cards: number;
  /** Workers that vanish in the middle of a card. */
  readonly kills: number;
  readonly seed: number;
  /** A server that runs already; null starts one in memory and ends it afterwards. */
  readonly server: { readonly url: string; readonly token: string } | null;
}

export const HELP = `Usage: npm run demo -- [options]

  --cards N      Cards to work off (default 500)
  --kill N       Workers that vanish in the middle of a card (default 30)
  --seed N       Repeats which claims are killed and which attempts fail (default: random)
  --url URL      Use a server that runs already (default: one of its own, in memory)
  --token TOKEN  Admin token of that server, which npm start prints
  --help         Print this

Ends with 0 when every check on what the API says afterwards holds, else with 1.
`;

/** What was asked for cannot be done as written; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

const LARGEST_SEED = 2 ** 32 - 1;
const MOST_CARDS = 10_000;

/**
 * @param args What follows the name of the script.
 * @param random 0 up to 1, for a seed when none is given.
 * @returns null when help was asked for.
 */
export function parseRunOptions(args: readonly string[], random: number): RunOptions | null {
  const values = parse(args);
  if (values.help === true) return null;
  const cards = whole('--cards', values.cards, 1, MOST_CARDS);
  return {
    cards,
    kills: whole('--kill', values.kill, 0, cards),
    seed:
      values.seed === undefined
        ? Math.floor(random * LARGEST_SEED)
        : whole('--seed', values.seed, 0, LARGEST_SEED),
    server: parseServer(values.url, values.token),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        cards: { type: 'string', default: '500' },
        kill: { type: 'string', default: '30' },
        seed: { type: 'string' },
        url: { type: 'string' },
        token: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function whole(name: string, text: string, lowest: number, highest: number): number {
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= lowest && value <= highest) return value;
  throw new UsageError(`${name} takes a whole number from ${lowest} to ${highest}, not "${text}"`);
}

function parseServer(url: string | undefined, token: string | undefined): RunOptions['server'] {
  if (url === undefined && token === undefined) return null;
  if (url === undefined || token === undefined) {
    throw new UsageError('--url and --token go together: npm start prints both');
  }
  if (!URL.canParse(url))
    throw new UsageError(`--url takes an address such as http://127.0.0.1:8787, not "${url}"`);
  return { url, token };
}
