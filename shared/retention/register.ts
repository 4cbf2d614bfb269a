/** The boards that do not keep everything, for the reaper to find: an entry for each, and none for the others. */
import type { Engine } from '../engine.ts';
import { expression } from '../store/conditions.ts';
import { LAYOUT_VERSION, RetentionSchema, type BoardItem, type RetentionItem } from '../store/items.ts';
import { RETENTION_PK, retentionKey } from '../store/keys.ts';
import type { Delete, Put } from '../store/params.ts';
import { RETENTION_DAYS } from './policy.ts';

type Setting = keyof typeof RETENTION_DAYS;
const SETTINGS = Object.keys(RETENTION_DAYS) as Setting[];

/** For the transaction that changes a board's settings: what changed is seen to by the next run of the reaper. */
export function retentionWrites(
  engine: Engine,
  before: BoardItem,
  after: BoardItem,
): readonly (Put | Delete)[] {
  if (SETTINGS.every((name) => before[name] === after[name])) return [];
  if (SETTINGS.every((name) => after[name] === undefined)) return [retentionDelete(after.pk)];
  const entry = { ...retentionKey(after.pk), v: LAYOUT_VERSION, board_id: after.pk };
  return [{ kind: 'put', item: { ...entry, due_at: engine.deps.now() } }];
}

export function retentionDelete(boardId: string): Delete {
  return { kind: 'delete', key: retentionKey(boardId) };
}

export async function listRetention(engine: Engine): Promise<RetentionItem[]> {
  const entries: RetentionItem[] = [];
  for await (const items of engine.store.pages({
    pk: { name: 'pk', value: RETENTION_PK },
    consistent: true,
  })) {
    entries.push(...items.map((item) => RetentionSchema.parse(item)));
  }
  return entries;
}

/** Where the work stands. An entry that was taken away, or set anew by other settings, stays as it is. */
export async function noteProgress(
  engine: Engine,
  entry: RetentionItem,
  progress: Pick<RetentionItem, 'due_at' | 'walk' | 'walked'>,
): Promise<void> {
  const { due_at, walk, walked } = progress;
  await engine.store.write({
    kind: 'update',
    key: retentionKey(entry.sk),
    set: { due_at, ...(walk === undefined ? {} : { walk }), ...(walked ? { walked } : {}) },
    remove: [...(walk === undefined ? ['walk'] : []), ...(walked ? [] : ['walked'])],
    condition: expression('#due_at = :c_due_at', { due_at: entry.due_at }),
  });
}
