/** The feed of a board, followed for ever: a server that is away for a while is waited for, and nothing is skipped. */
import { setTimeout as pause } from 'node:timers/promises';
import { isLeaseboardError, type BoardEvent } from '../../client/index.ts';
import type { Session } from '../session.ts';

/** After calls that were not answered, which the client has repeated already. */
const PAUSE_MS = 2_000;

export interface FollowOptions {
  readonly board: string;
  /** Cursor of the feed. */
  readonly since: string;
  readonly types: readonly string[];
  /** How long one call waits for an event, 0 to 20. */
  readonly waitSeconds: number;
}

/** Ends when the session is interrupted. */
export async function* follow(session: Session, options: FollowOptions): AsyncGenerator<BoardEvent> {
  const { client, io, output } = session;
  const { board, types, waitSeconds } = options;
  let { since } = options;
  while (!io.signal.aborted) {
    try {
      const query = { since, wait_seconds: waitSeconds, ...(types.length === 0 ? {} : { types }) };
      const page = await client.events.list(board, query, { signal: io.signal });
      if (page.expired) output.note('Some events were no longer kept: there is a gap here.');
      yield* page.items;
      since = page.next_cursor;
    } catch (error) {
      if (io.signal.aborted) return;
      if (!isAway(error)) throw error;
      output.note(`No answer, trying again: ${error instanceof Error ? error.message : String(error)}`);
      await pause(PAUSE_MS, undefined, { signal: io.signal }).catch(() => {});
    }
  }
}

function isAway(error: unknown): boolean {
  return isLeaseboardError(error) && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** One line on an event. */
export function eventLine({ timestamp, type, actor, data, card_id, board_id }: BoardEvent): string {
  const what = data.card === null ? (card_id ?? board_id) : `${data.card.key} ${data.card.title}`;
  const why = data.run?.error ?? data.run?.summary ?? data.reason;
  return [timestamp, type.padEnd(22), `by ${actor.id}`, what, ...(why ? [`(${why})`] : [])].join('  ');
}
