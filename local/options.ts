/** The command line of `npm start`. Scripts call it: an option may be added, none renamed. */
import { parseArgs } from 'node:util';
import { isAdminToken } from './admin-token.ts';
import { UserError } from './user-error.ts';

export interface StartOptions {
  readonly port: number;
  /** Where everything is kept; null keeps all in memory. */
  readonly directory: string | null;
  /** null: the one kept in the directory, or a new one. */
  readonly adminToken: string | null;
  /** Seconds between two runs of the reaper; null for none. */
  readonly reaperSeconds: number | null;
  /** Base URL of a DynamoDB to use; null starts one. */
  readonly dynamodbUrl: string | null;
  /** JSON file that names an identity provider; null: tokens only. */
  readonly oidcFile: string | null;
  readonly demo: boolean;
}

export const HELP = `Usage: npm start -- [options]

  --port N                Port to serve on, at 127.0.0.1 only (default 8787; 0: any free one)
  --data DIR              Where cards, keys and tokens are kept (default .leaseboard)
  --memory                Keep everything in memory; --data is then not used
  --admin-token TOKEN     Admin token lb_<id>_<secret> (default: generated once and kept)
  --reaper SECONDS|off    Seconds between two runs of the reaper (default 60)
  --dynamodb URL          Use this DynamoDB and start none
  --oidc FILE             People sign in with the identity provider that this JSON file names
  --no-demo               Start without the demo board and its fleet
  --help                  Print this
`;

const MAX_PORT = 65_535;
/** setInterval's longest delay is about 24.8 days and anything longer runs at once. */
const MAX_REAPER_SECONDS = 86_400;

/**
 * @param args What follows the name of the script.
 * @returns null when help was asked for.
 * @throws UserError (exit code 2) naming the option that is unknown or wrong.
 */
export function parseOptions(args: readonly string[]): StartOptions | null {
  const values = parse(args);
  if (values.help === true) return null;
  return {
    port: parsePort(values.port),
    directory: values.memory === true ? null : parseDirectory(values.data),
    adminToken: values['admin-token'] === undefined ? null : parseToken(values['admin-token']),
    reaperSeconds: parseReaper(values.reaper),
    dynamodbUrl: values.dynamodb === undefined ? null : parseUrl(values.dynamodb),
    oidcFile: values.oidc === undefined ? null : parseFile(values.oidc),
    demo: values['no-demo'] !== true,
  };
}

function parse(args: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '8787' },
        data: { type: 'string', default: '.leaseboard' },
        memory: { type: 'boolean' },
        'admin-token': { type: 'string' },
        reaper: { type: 'string', default: '60' },
        dynamodb: { type: 'string' },
        oidc: { type: 'string' },
        'no-demo': { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return values;
  } catch (error) {
    // Node's message goes on to explain positional arguments, of which there are none here.
    const [first] = (error instanceof Error ? error.message : String(error)).split(/\. |\n/);
    throw refused(first ?? 'The options cannot be read');
  }
}

function parsePort(text: string): number {
  const port = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (!(port <= MAX_PORT)) throw refused(`--port takes a number from 0 to ${MAX_PORT}, not "${text}"`);
  return port;
}

function parseDirectory(text: string): string {
  if (text === '') throw refused('--data takes a directory');
  return text;
}

function parseFile(text: string): string {
  if (text === '') throw refused('--oidc takes a file');
  return text;
}

/** The token is a secret: it is not repeated in the message. */
function parseToken(text: string): string {
  if (!isAdminToken(text)) {
    throw refused(
      '--admin-token takes lb_<id>_<secret>: id 1-64 of [A-Za-z0-9], secret 32-128 of [A-Za-z0-9_-]',
    );
  }
  return text;
}

function parseReaper(text: string): number | null {
  if (text === 'off') return null;
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (!(seconds > 0 && seconds <= MAX_REAPER_SECONDS)) {
    throw refused(`--reaper takes a number of seconds up to ${MAX_REAPER_SECONDS}, or "off", not "${text}"`);
  }
  return seconds;
}

function parseUrl(text: string): string {
  const url = URL.parse(text);
  if (url === null || !['http:', 'https:'].includes(url.protocol)) {
    throw refused(`--dynamodb takes a URL such as http://127.0.0.1:8000, not "${text}"`);
  }
  return text;
}

function refused(message: string): UserError {
  return new UserError(`${message}.\nAll options: npm start -- --help`, 2);
}
