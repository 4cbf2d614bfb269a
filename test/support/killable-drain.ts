/** A thousand cards, or as many as the machine is free for, drained by workers that are killed with their stack. */
import { spawn } from 'node:child_process';
import { LeaseboardClient } from '../../client/index.ts';
import { STACK_TOKEN } from './killable-stack.ts';

const SCRIPT = new URL('drain-worker.ts', import.meta.url).pathname;
const BATCH = 20;
/** What a killed worker held is offered again after this. */
const LEASE_SECONDS = 5;

/** Cards that are drained: `KILLED_STACK_CARDS=1000` where the machine is free for it. */
export const CARDS = Number(process.env['KILLED_STACK_CARDS'] ?? 40);

export interface Drain {
  readonly client: LeaseboardClient;
  readonly board: string;
  /** Of the queue that is drained. */
  readonly column: string;
}

/** A board with a queue whose leases are short. */
export async function createDrain(url: string): Promise<Drain> {
  const client = new LeaseboardClient({ url, token: STACK_TOKEN });
  const board = await client.boards.create({ name: 'Killed' });
  const column = board.columns.find(({ queue }) => queue)?.id ?? '';
  await client.columns.setContract(board.id, column, { enabled: true, lease_ttl_seconds: LEASE_SECONDS });
  return { client, board: board.id, column };
}

/** Fills the queue and answers the ids of its cards. */
export async function fill({ client, board, column }: Drain): Promise<string[]> {
  const cards: string[] = [];
  for (let at = 0; at < CARDS; at += BATCH) {
    const inputs = Array.from({ length: Math.min(BATCH, CARDS - at) }, (_, row) => ({
      title: `Card ${at + row}`,
      column_id: column,
    }));
    const { items } = await client.cards.createBatch(board, inputs);
    cards.push(...items.flatMap((row) => ('card' in row ? [row.card.id] : [])));
  }
  return cards;
}

/** Starts workers; the answer ends them at once: kill -9. */
export function startWorkers({ client, board, column }: Drain): () => Promise<void> {
  const args = [SCRIPT, client.url, STACK_TOKEN, board, column];
  const child = spawn(process.execPath, args, { stdio: 'ignore' });
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
  });
  return async () => {
    child.kill('SIGKILL');
    await ended;
  };
}
