/** The schedule in small: what EventBridge Scheduler does for the reaper in an account. */
import { randomUUID } from 'node:crypto';
import type { ErrorLog } from './http-server.ts';
import { invoke, type LocalFunction } from './lambda.ts';

export interface Schedule {
  /** No further run; resolves when the one under way has ended. */
  readonly stop: () => Promise<void>;
}

/**
 * Runs the reaper every `seconds`, never two at once: a run that falls due during another is left out. What a
 * run throws is logged and the next run comes all the same.
 */
export function startReaperSchedule(reaper: LocalFunction, seconds: number, logError: ErrorLog): Schedule {
  let running: Promise<void> | null = null;
  const timer = setInterval(() => {
    running ??= runOnce(reaper, logError).finally(() => {
      running = null;
    });
  }, seconds * 1000);
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}

async function runOnce(reaper: LocalFunction, logError: ErrorLog): Promise<void> {
  const requestId = randomUUID();
  try {
    await invoke(reaper, scheduledEvent(requestId, new Date()), requestId);
  } catch (error) {
    logError(`Function ${reaper.name}, run ${requestId}`, error);
  }
}

/** The input that Scheduler sends when the schedule names none. */
function scheduledEvent(id: string, time: Date) {
  return {
    version: '0',
    id,
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    account: '000000000000',
    time: time.toISOString(),
    region: 'us-east-1',
    resources: ['arn:aws:scheduler:us-east-1:000000000000:schedule/default/reaper'],
    detail: '{}',
  };
}
