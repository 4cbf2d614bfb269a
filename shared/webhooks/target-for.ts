/** Refuses an address that no webhook may have, in the words of a request's schema. */
import type { Engine } from '../engine.ts';
import { refusedInput } from '../schemas/parse-input.ts';
import { targetFault } from './target.ts';

/** @throws Problem `validation_failed`. What its name resolves to is looked at with each attempt. */
export function mustBeTarget({ webhooks }: Engine, url: string): void {
  const fault = targetFault(url, webhooks.targets);
  if (fault !== null) throw refusedInput([{ path: '/url', message: fault }]);
}
