/** One command's way to the installation: its client, and names turned into ids. */
import { LeaseboardClient } from '../client/index.ts';
import { resolveColumn } from '../client/worker/api.ts';
import type { Io } from './io.ts';
import { keptLeaseToken } from './kept-leases.ts';
import { outputOf, type Output } from './output.ts';
import { readSettings, type GlobalFlags, type Settings } from './settings.ts';
import { NoTokenError, UnknownNameError, UsageError } from './usage-error.ts';

const MS_PER_SECOND = 1000;
/** Cards whose keys match a search come among the first. */
const KEY_PAGE = 100;

export class Session {
  readonly io: Io;
  readonly settings: Settings;
  readonly output: Output;
  readonly #timeoutSeconds: number | undefined;
  #client: LeaseboardClient | undefined;

  constructor(io: Io, flags: GlobalFlags, settings: Settings) {
    this.io = io;
    this.settings = settings;
    this.output = outputOf(io, flags);
    this.#timeoutSeconds = flags.timeout;
  }

  /** @throws NoTokenError without a token. */
  get client(): LeaseboardClient {
    this.#client ??= new LeaseboardClient({
      url: this.settings.url.value,
      token: this.#token(),
      agent: this.settings.agent?.value,
      // Where OpenTelemetry puts the trace of a process that another one starts.
      traceparent: () => this.io.env['TRACEPARENT'],
      timeoutMs: this.#timeoutSeconds === undefined ? undefined : this.#timeoutSeconds * MS_PER_SECOND,
    });
    return this.#client;
  }

  /** Slug or id of the board that the command is about. */
  get board(): string {
    const { board } = this.settings;
    if (board === null) {
      throw new UsageError(
        'Which board? Name it by --board, LEASEBOARD_BOARD or a profile; `leaseboard board list` shows them.',
      );
    }
    return board.value;
  }

  #token(): string {
    const { token } = this.settings;
    if (token === null) {
      throw new NoTokenError(
        'No token. Give one by --token-file or LEASEBOARD_TOKEN, or keep one: `leaseboard profile set NAME --url URL --token-file FILE`.',
      );
    }
    if (!/^[\x21-\x7e]+$/.test(token.value)) {
      throw new UsageError(`What ${token.from} gives is no token: lb_<id>_<secret>, without spaces.`);
    }
    return token.value;
  }

  /** Id of a column given by name or id; without either, of the one that is set. */
  async column(given?: string): Promise<string> {
    const column = given ?? this.settings.column?.value;
    if (column === undefined) {
      throw new UsageError(
        'Which column? Name it by --column, LEASEBOARD_COLUMN or a profile; `leaseboard column list` shows them.',
      );
    }
    return resolveColumn(this.client, this.board, column, this.io.signal).catch((error: unknown) => {
      if (error instanceof Error && error.name === 'Error') throw new UnknownNameError(error.message);
      throw error;
    });
  }

  /** Id of a card given by id or by key, such as `BUG-12`. */
  async card(given: string): Promise<string> {
    if (given.startsWith('crd_')) return given;
    const query = { q: given, limit: KEY_PAGE };
    const { items } = await this.client.cards.list(this.board, query, { signal: this.io.signal });
    const found = items.find((card) => card.key.toLowerCase() === given.toLowerCase());
    if (found !== undefined) return found.id;
    throw new UnknownNameError(
      `Board "${this.board}" has no card "${given}" among its newest. Give the card's id (crd_...) instead.`,
    );
  }

  /** The token of a lease: given, in the environment of `card run`, or kept by `card claim`. */
  async leaseToken(lease: string, given?: string): Promise<string> {
    const { LEASEBOARD_LEASE_ID: id, LEASEBOARD_LEASE_TOKEN: token } = this.io.env;
    const known = given ?? (id === undefined || id === lease ? token : undefined);
    const found = known ?? (await keptLeaseToken(this.io, lease));
    if (found !== null) return found;
    throw new UsageError(
      `The token of ${lease} is not here: the lease was not claimed on this machine, or it has ended. Give it by LEASEBOARD_LEASE_TOKEN or --lease-token.`,
    );
  }
}

export async function openSession(io: Io, flags: GlobalFlags): Promise<Session> {
  return new Session(io, flags, await readSettings(io, flags));
}
