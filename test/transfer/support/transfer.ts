/** Exports and imports as tests speak of them: whole boards, page by page. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import type { Caller, Engine } from '../../../shared/engine.ts';
import { documentClient } from '../../../shared/store/client.ts';
import { exportBoard } from '../../../shared/verbs/export-board.ts';
import { importBoard, type ImportedRow } from '../../../shared/verbs/import-board.ts';
import type { World } from '../../support/world.ts';

export type Row = Record<string, unknown> & { readonly type: string };
type Named = { readonly id: string };

/** As a client gets it: without what has no value. */
const sent = (row: unknown): Row => JSON.parse(JSON.stringify(row));

/** @param limit Rows of a page: the fewer, the more places at which the export is left and taken up again. */
export async function exportAll(engine: Engine, caller: Caller, board: Named, limit = 100): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await exportBoard(engine, caller, { board: board.id, limit, cursor });
    rows.push(...page.items.map(sent));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

export async function importRows(
  world: World,
  board: Named,
  rows: readonly unknown[],
  { engine = world.main, caller = world.admin } = {},
): Promise<ImportedRow[]> {
  const answers: ImportedRow[] = [];
  for (let at = 0; at < rows.length; at += 100) {
    const some = rows.slice(at, at + 100);
    const { value } = await importBoard(engine, caller, { board: board.id, rows: some }, null);
    answers.push(...value.items);
  }
  return answers;
}

/** What every row was answered, once each. */
export const statuses = (answers: readonly ImportedRow[]): number[] => [
  ...new Set(answers.map(({ status }) => status)),
];

/** The ids of what rows became, by the ids that they have where they come from. */
export function idsOf(rows: readonly Row[], answers: readonly ImportedRow[]): Map<string, string> {
  const ids = new Map<string, string>();
  for (const [at, answer] of answers.entries()) {
    const source = rows[at]?.['id'];
    if (typeof source === 'string' && 'id' in answer && answer.id !== null) ids.set(source, answer.id);
  }
  return ids;
}

/** The same with every id as it is called in the copy. */
export function renamed<T>(value: T, ids: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(value).replaceAll(/"([a-z]{3}_[0-9A-Z]{26})"/g, (_, id: string) =>
    JSON.stringify(ids.get(id) ?? id),
  );
  return JSON.parse(text) as T;
}

/** Every item of the table, by its key. */
export async function everyItem(world: World): Promise<Map<string, unknown>> {
  const client = documentClient(world.table.clientOptions);
  const items = new Map<string, unknown>();
  let start: Record<string, unknown> | undefined;
  do {
    const page = await client.send(
      new ScanCommand({ TableName: world.table.tableName, ExclusiveStartKey: start, ConsistentRead: true }),
    );
    for (const item of page.Items ?? []) items.set(`${item['pk']} ${item['sk']}`, item);
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  return items;
}
