/**
 * Replace a column's contract. In force on every claimer within the two seconds that contracts are remembered;
 * leases that are out keep what they were given.
 */
import { columnWrite, editBoard } from '../boards/edit-board.ts';
import { queueEntryPut } from '../boards/new-column.ts';
import { queueEntryKey } from '../store/keys.ts';
import { columnNow } from '../boards/read-now.ts';
import { settleStrays } from '../boards/strays.ts';
import { columnsOf, mustBeOpen, toColumn, type Board, type Column } from '../columns.ts';
import { checkTargets } from '../contract/check-targets.ts';
import type { ContractSettings } from '../contract/contract-fields.ts';
import { parseContract, type ContractFault } from '../contract/parse-contract.ts';
import { contractToStore } from '../contract/settings.ts';
import { actorOf, type Caller, type Engine } from '../engine.ts';
import { problem, type Problem } from '../errors.ts';
import { LIMITS, SETTLE_BUDGET_MS } from '../policy.ts';
import type { ColumnItem } from '../store/items.ts';
import { jsonBytes } from '../text.ts';

/** Columns' contracts of this size fit an answer however many a board has. */
const SMALL_CONTRACT_BYTES = 16_384;

/**
 * @param input `contract` is the body as it was sent: what is left out takes its default.
 * @throws Problem `invalid_contract` with a JSON pointer for each fault; then nothing has changed.
 */
export async function putContract(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string; contract: unknown },
): Promise<ContractSettings> {
  const parsed = parseContract(input.contract);
  if (!parsed.ok) throw invalid(parsed.errors);
  const { contract } = parsed;
  const column = await editBoard<Column>(engine, caller, input.board, async (board) => {
    mustBeOpen(board);
    const column = await columnNow(engine, board, input.column);
    mustFit(contract, board, column);
    await mustFitAnswer(engine, contract, board, column);
    if (same(contract, column.contract)) return { answer: column };
    const { write, after } = columnWrite(
      engine,
      column.item,
      withContract(column, contract, await adoptingSince(engine, column), engine.deps.now()),
    );
    return {
      after: board.item,
      op: 'put_contract',
      events: [{ type: 'column.contract.updated', by: actorOf(caller), column_id: column.column_id }],
      // A queue that ends stays registered until the reaper has found nothing of a queue left in it.
      also: [write, ...(contract.enabled ? [queueEntryPut(after)] : [])],
      columnIds: [column.column_id],
      result: () => toColumn(after),
    };
  });
  // Also when nothing has changed: an earlier try may have been cut short before its cards were put right.
  await settleStrays(engine, column, engine.deps.now() + SETTLE_BUDGET_MS);
  return contract;
}

function mustFit(contract: ContractSettings, board: Board, column: Column): void {
  const errors = [...checkTargets(contract, column.column_id, new Set(board.item.column_ids))];
  if (contract.enabled && column.role === 'done') {
    errors.push({
      path: '/enabled',
      message: 'must be false: the column has the role done, where nothing is left to do',
    });
  }
  if (errors.length > 0) throw invalid(errors);
}

/**
 * A board is answered with all its contracts: together they must leave room for it.
 * @throws Problem `quota_exceeded`
 */
async function mustFitAnswer(
  engine: Engine,
  contract: ContractSettings,
  board: Board,
  { column_id }: Column,
): Promise<void> {
  const own = jsonBytes(contract);
  if (own <= SMALL_CONTRACT_BYTES) return;
  const others = (await columnsOf(engine, board)).filter((column) => column.column_id !== column_id);
  const bytes = others.reduce((sum, other) => sum + jsonBytes(other.contract), own);
  if (bytes <= LIMITS.boardContractsBytes) return;
  throw problem(
    'quota_exceeded',
    `The contracts of a board take at most ${LIMITS.boardContractsBytes} bytes together; with this one they would have ` +
      `${bytes}. Make its schemas or another column's smaller, or put the column on another board.`,
  );
}

/**
 * Since when the column's leases must be given slots, should it have a limit: a queue that had none may have given
 * leases without. A column that was no queue, and is not registered as one, has given none.
 */
async function adoptingSince(engine: Engine, column: Column): Promise<Adopting> {
  const { concurrency_limit, max_per_assignee } = column.contract;
  const { adopting_at, agent_adopting_at } = column.item;
  const registered = await engine.store.get(queueEntryKey(column.column_id));
  const anew = registered === undefined ? undefined : engine.deps.now();
  return {
    column: concurrency_limit === null ? anew : adopting_at,
    agent: max_per_assignee === null ? anew : agent_adopting_at,
  };
}

/** By kind of limit. */
type Adopting = Readonly<Record<'column' | 'agent', number | undefined>>;

function withContract(column: Column, contract: ContractSettings, since: Adopting, now: number): ColumnItem {
  const { adopting_at: _column, agent_adopting_at: _agent, ...item } = column.item;
  return {
    ...item,
    ...resharding(column, contract.shards, now),
    contract: contractToStore(contract),
    schema_no: item.schema_no + (same(contract.input_schema, column.contract.input_schema) ? 0 : 1),
    ...(contract.concurrency_limit === null || since.column === undefined
      ? {}
      : { adopting_at: since.column }),
    ...(contract.max_per_assignee === null || since.agent === undefined
      ? {}
      : { agent_adopting_at: since.agent }),
  };
}

/**
 * With another number of shards, cards stand in lanes that are not theirs until the reaper has moved them: claims read
 * all that the column ever had meanwhile.
 */
function resharding({ item, shards }: Column, to: number, now: number): Partial<ColumnItem> {
  if (to === shards) return {};
  return { reshard_at: now, shards_ever: Math.max(item.shards_ever ?? 1, shards, to) };
}

/** Both came from JSON, in the order of the fields that they were sent or stored with. */
function same(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function invalid(errors: readonly ContractFault[]): Problem {
  const [first] = errors;
  const where = first === undefined ? '' : ` At '${first.path}': ${first.message}.`;
  return problem('invalid_contract', `The contract was not accepted, and nothing has changed.${where}`, {
    errors: [...errors],
  });
}
