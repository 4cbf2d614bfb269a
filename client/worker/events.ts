/** What a worker says about itself. Nothing here carries a lease token. */
import type { AbortKind } from './errors.ts';

export interface CardRef {
  readonly cardId: string;
  readonly key: string;
  readonly leaseId: string;
  readonly attempt: number;
}

export type WorkerEvent =
  | ({ readonly type: 'claimed' } & CardRef)
  | ({ readonly type: 'completed' } & CardRef)
  | ({ readonly type: 'failed'; readonly reason: string; readonly deadLettered: boolean } & CardRef)
  | ({ readonly type: 'released'; readonly why: AbortKind | 'draining' | 'parents_open' } & CardRef)
  | ({ readonly type: 'blocked'; readonly reason: string } & CardRef)
  | ({ readonly type: 'lost'; readonly detail: string } & CardRef)
  /** A closing verb that never got through: the lease runs out and the card is offered again. */
  | ({ readonly type: 'unsettled'; readonly error: unknown } & CardRef)
  /** Progress, note or checkpoint that the server does not take; the lease goes on without it. */
  | ({ readonly type: 'report_refused'; readonly error: unknown } & CardRef)
  /** The handler went on long after its signal aborted. */
  | ({ readonly type: 'handler_ignored_abort' } & CardRef)
  | { readonly type: 'claim_failed'; readonly error: unknown; readonly retryInMs: number }
  | { readonly type: 'stalled'; readonly lateMs: number }
  | { readonly type: 'draining'; readonly held: number };

/** Default listener: only what needs a person. */
export function warnOnConsole(event: WorkerEvent): void {
  const line = warning(event);
  if (line !== undefined) console.warn(`leaseboard worker: ${line}`);
}

function warning(event: WorkerEvent): string | undefined {
  switch (event.type) {
    case 'stalled':
      return `the event loop stood still for ${event.lateMs} ms; leases are lost when it does so for longer. Move heavy work to a thread or a process`;
    case 'claim_failed':
      return `claiming failed, next try in ${Math.round(event.retryInMs)} ms: ${text(event.error)}`;
    case 'lost':
      return `lost ${event.key}: ${event.detail}`;
    case 'unsettled':
      return `${event.key} could not be settled, it comes back when its lease ends: ${text(event.error)}`;
    case 'report_refused':
      return `a report on ${event.key} was refused and dropped: ${text(event.error)}`;
    case 'handler_ignored_abort':
      return `the handler of ${event.key} goes on after its signal aborted; pass the signal on to what it waits for`;
    case 'claimed':
    case 'completed':
    case 'failed':
    case 'released':
    case 'blocked':
    case 'draining':
      break;
  }
  return undefined;
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
