/**
 * As much of EventBridge Scheduler as the functions use: one-time schedules that put a message into a queue and are
 * deleted after it. In memory: what a restart loses the reaper queues again.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import { listen, type ErrorLog, type LocalServer } from './http-server.ts';
import { readBody } from './request-body.ts';

const MAX_BODY_BYTES = 64 * 1024;
/** setTimeout fires at once beyond this, 2^31 - 1 ms. */
const LONGEST_TIMER_MS = 2_147_483_647;

const Schedule = z.object({
  GroupName: z.string().default('default'),
  ScheduleExpression: z.string(),
  ScheduleExpressionTimezone: z.literal('UTC').default('UTC'),
  FlexibleTimeWindow: z.object({ Mode: z.literal('OFF') }),
  ActionAfterCompletion: z.literal('DELETE'),
  Target: z.object({ Arn: z.string(), RoleArn: z.string(), Input: z.string() }),
});

/** Puts a message into the queue of that ARN. */
export type SendToQueue = (queueArn: string, body: string) => Promise<void>;

export interface SchedulerEndpoint extends LocalServer {
  /** `group/name` of the schedules that have not fired. */
  readonly names: () => readonly string[];
}

/** Serves on a free loopback port. It checks no signature: what it puts into the queue is ids. */
export async function startSchedulerEndpoint(
  send: SendToQueue,
  logError: ErrorLog,
): Promise<SchedulerEndpoint> {
  const server = await listen(0, logError);
  const timers = new Map<string, NodeJS.Timeout>();
  server.answerWith(async (request, response) => {
    const url = new URL(request.url ?? '/', server.url);
    const [, collection, name] = url.pathname.split('/').map(decodeURIComponent);
    if (collection !== 'schedules' || name === undefined) {
      sendError(response, 404, 'ResourceNotFoundException', 'Only /schedules/{Name} is served here.');
    } else if (request.method === 'POST') {
      await create(request, response, name);
    } else if (request.method === 'DELETE') {
      remove(response, `${url.searchParams.get('groupName') ?? 'default'}/${name}`);
    } else {
      sendError(
        response,
        400,
        'ValidationException',
        'Only CreateSchedule and DeleteSchedule are served here.',
      );
    }
  });

  const create = async (request: IncomingMessage, response: ServerResponse, name: string): Promise<void> => {
    const schedule = Schedule.safeParse(await jsonOf(request)).data;
    const at = schedule === undefined ? Number.NaN : timeOf(schedule.ScheduleExpression);
    if (schedule === undefined || Number.isNaN(at)) {
      sendError(response, 400, 'ValidationException', 'It must be a schedule for once, with at(...) in UTC.');
      return;
    }
    const key = `${schedule.GroupName}/${name}`;
    if (timers.has(key)) {
      sendError(response, 409, 'ConflictException', `Schedule ${name} already exists.`);
      return;
    }
    const { Arn, Input } = schedule.Target;
    const fire = () => {
      timers.delete(key);
      send(Arn, Input).catch((error: unknown) => logError(`Schedule ${key}`, error));
    };
    timers.set(key, setTimeout(fire, Math.min(Math.max(0, at - Date.now()), LONGEST_TIMER_MS)).unref());
    answer(response, 200, { ScheduleArn: `arn:aws:scheduler:us-east-1:000000000000:schedule/${key}` });
  };

  const remove = (response: ServerResponse, key: string): void => {
    if (!timers.has(key)) {
      sendError(response, 404, 'ResourceNotFoundException', `Schedule ${key} does not exist.`);
      return;
    }
    clearTimeout(timers.get(key));
    timers.delete(key);
    answer(response, 200, {});
  };

  return {
    ...server,
    names: () => [...timers.keys()],
    close: async () => {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
      await server.close();
    },
  };
}

/** `at(yyyy-mm-ddThh:mm:ss)` in ms; NaN for any other expression. */
function timeOf(expression: string): number {
  const [, time] = /^at\((\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\)$/.exec(expression) ?? [];
  return time === undefined ? Number.NaN : Date.parse(`${time}Z`);
}

async function jsonOf(request: IncomingMessage): Promise<unknown> {
  const body = await readBody(request, MAX_BODY_BYTES);
  try {
    return JSON.parse(body?.toString('utf8') ?? '');
  } catch {
    return null;
  }
}

function sendError(response: ServerResponse, status: number, type: string, message: string): void {
  response.setHeader('x-amzn-errortype', type);
  answer(response, status, { Message: message });
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
