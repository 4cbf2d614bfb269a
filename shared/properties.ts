/** Properties are merged key by key, so that two writers of different keys both stay; `null` removes a key. */
import { problem } from './errors.ts';
import { LIMITS } from './policy.ts';
import { jsonBytes } from './text.ts';

export type Properties = Record<string, unknown>;

/** The merged properties. Throws `validation_failed` when they outgrow a card. */
export function mergeProperties(current: Properties, patch: Properties): Properties {
  const merged = Object.fromEntries(
    Object.entries({ ...current, ...patch }).filter(([, value]) => value !== null),
  );
  const bytes = jsonBytes(merged);
  if (bytes > LIMITS.propertiesBytes) {
    const message = `The properties would be ${bytes} bytes together; a card holds ${LIMITS.propertiesBytes}.`;
    throw problem('validation_failed', message, { errors: [{ path: '/properties', message }] });
  }
  return merged;
}
