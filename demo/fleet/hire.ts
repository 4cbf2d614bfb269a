/** The worker of an assignment, in whatever process this is called. */
import {
  LeaseboardClient,
  Worker,
  type Handler,
  type Platform,
  type WorkerEvent,
} from '../../client/index.ts';
import type { Assignment } from './member.ts';

/** Polls are short, so that the fleet ends soon after its last card. */
const WAIT_SECONDS = 2;

export function hire(
  assignment: Assignment,
  platform: Platform,
  handler: Handler,
  onEvent: (event: WorkerEvent) => void,
): Worker {
  const { url, token, agent, board, columnId, concurrency } = assignment;
  const client = new LeaseboardClient({ url, token, agent, platform });
  return new Worker(
    {
      client,
      board,
      column: columnId,
      concurrency,
      waitSeconds: WAIT_SECONDS,
      handleSignals: false,
      onEvent,
    },
    handler,
  );
}
