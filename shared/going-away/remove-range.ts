/** Removing many items under one key, in steps. */
import type { Engine } from '../engine.ts';
import { STEP_CARDS } from '../policy.ts';
import type { Key } from '../store/keys.ts';
import type { QueryInput } from '../store/store.ts';

/** True when nothing is left; false when the clock passed `until` (ms) before. */
export async function removeRange(engine: Engine, range: QueryInput, until: number): Promise<boolean> {
  for (;;) {
    const { items } = await engine.store.query({ ...range, limit: STEP_CARDS, consistent: true });
    if (items.length === 0) return true;
    if (engine.deps.now() >= until) return false;
    const keys = items.map(({ pk, sk }): Key => ({ pk: String(pk), sk: String(sk) }));
    await Promise.all(keys.map(async (key) => engine.store.write({ kind: 'delete', key })));
  }
}
