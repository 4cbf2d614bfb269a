/** Calls of the API as their callers make them: over a network, to any instance, and perhaps without an answer. */
import type { Engine } from '../../shared/engine.ts';
import { isProblem } from '../../shared/errors.ts';
import type { Instances } from './instances.ts';
import type { Call } from './recording.ts';
import type { Process, Scheduler } from './scheduler.ts';
import type { Chance } from './chance.ts';

const LATENCY_MS = [0.5, 5] as const;
/** Then the caller gives up waiting: what API Gateway allows a function. */
const PATIENCE_MS = 30_000;

/** What came of a call. */
export type Heard<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly engine: Engine }
  | { readonly kind: 'refused'; readonly code: string; readonly detail: string }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'unknown' };

export interface CallerParts {
  readonly scheduler: Scheduler;
  readonly chance: Chance;
  readonly instances: Instances;
  readonly calls: Call[];
  /** Chance that an answer gets lost on its way to the caller. */
  readonly lostAnswer: () => number;
}

export interface Asked extends Pick<Call, 'cardId' | 'run' | 'key' | 'fingerprint'> {
  readonly actor: string;
  readonly verb: string;
}

export class Callers {
  readonly #parts: CallerParts;

  constructor(parts: CallerParts) {
    this.#parts = parts;
  }

  /** Makes one call; it is in the history before it is sent, with what came of it once that is known. */
  async call<T>(process: Process, asked: Asked, verb: (engine: Engine) => Promise<T>): Promise<Heard<T>> {
    const { scheduler, calls } = this.#parts;
    const call: Call = { ...asked, invoked: scheduler.now };
    calls.push(call);
    const heard = await this.#send(process, call, verb);
    call.answered = scheduler.now;
    call.outcome = heard.kind;
    if (heard.kind === 'refused') call.code = heard.code;
    if (heard.kind === 'failed') call.code = textOf(heard.error);
    return heard;
  }

  async #send<T>(process: Process, call: Call, verb: (engine: Engine) => Promise<T>): Promise<Heard<T>> {
    const { scheduler, chance, instances, lostAnswer } = this.#parts;
    const instance = instances.any();
    call.instance = instance.process.name;
    return new Promise((resolve) => {
      const unheard = () => resolve({ kind: 'unknown' });
      const reset = () => scheduler.after(chance.between(...LATENCY_MS), process, unheard);
      const answer = (heard: Heard<T>) => {
        instance.onKill.delete(reset);
        if (chance.with(lostAnswer())) return;
        scheduler.after(chance.between(...LATENCY_MS), process, () => resolve(heard));
      };
      instance.onKill.add(reset);
      scheduler.after(PATIENCE_MS, process, unheard);
      scheduler.after(chance.between(...LATENCY_MS), instance.process, () => {
        verb(instance.engine).then(
          (value) => answer({ kind: 'ok', value, engine: instance.engine }),
          (error: unknown) =>
            answer(
              isProblem(error)
                ? { kind: 'refused', code: error.code, detail: error.message }
                : { kind: 'failed', error },
            ),
        );
      });
    });
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);
}
