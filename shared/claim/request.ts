/** A column claim made of what the caller sent: who asks, for what, under which key, and what is answered. */
import { columnToClaim, type Column } from '../columns.ts';
import { agentName, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { findRecord, recordWrite, type Repeatable } from '../idempotency.ts';
import { lostLease } from '../lost.ts';
import { readJob } from '../jobs.ts';
import type { ClaimBatchBody } from '../schemas/claims.ts';
import { claimView, type ClaimView } from '../views/claim.ts';
import { completeParts, readParts } from './card-parts.ts';
import { laneReading, type ClaimRequest, type Leased } from './claim.ts';
import { mustFitContract, newGrant } from './grant.ts';
import type { Asker } from './pick.ts';

export interface ColumnClaim extends ClaimBatchBody {
  readonly board: string;
  readonly column: string;
}

function askerOf(caller: Caller, input: ColumnClaim): Omit<Asker, 'excludePrevious'> {
  const { tenant, labels, skills } = input;
  return {
    agent: caller.agent,
    name: agentName(caller),
    filter: {
      ...(tenant === undefined ? {} : { tenant }),
      ...(labels === undefined ? {} : { labels }),
      ...(skills === undefined ? {} : { skills }),
    },
  };
}

/** The claim's request, its lanes read beside the look-up of board and column. */
export async function claimRequest(
  engine: Engine,
  caller: Caller,
  input: ColumnClaim,
  repeat: Repeatable | null,
): Promise<ClaimRequest> {
  const asker = askerOf(caller, input);
  const lanes = laneReading(engine, input.column, asker);
  lanes.catch(() => undefined); // A refusal below must not leave the reading's own failure unheard.
  const recorded =
    repeat === null
      ? Promise.resolve(false)
      : findRecord(engine, caller, repeat, 0).then((record) => record !== undefined);
  recorded.catch(() => undefined);
  const column = await queueFor(engine, caller, input);
  engine.claims.of(input.column).shards = column.shardsRead;
  mustFitContract(column, input.lease_ttl_seconds);
  return {
    column,
    asker: { ...asker, excludePrevious: column.contract.exclude_previous_holder },
    want: input.max ?? 1,
    newGrant: () => newGrant(engine, caller, column, input.lease_ttl_seconds),
    record:
      repeat === null
        ? null
        : (row, cardId, run) =>
            recordWrite(
              engine,
              caller,
              repeat,
              { board_id: column.board_id, card_id: cardId, run, status: 200 },
              row,
            ),
    recorded,
    lanes,
  };
}

/** The queue that a claim names; a column without an enabled contract is none. */
async function queueFor(
  engine: Engine,
  caller: Caller,
  input: { board: string; column: string },
): Promise<Column> {
  const column = await columnToClaim(engine, caller, input);
  if (!column.queue) {
    throw problem(
      'contract_disabled',
      `The column '${column.item.name}' is no queue. Put a contract with "enabled": true on it to claim from it.`,
    );
  }
  return column;
}

/** The answer for a lease just taken. */
export async function claimAnswer(
  engine: Engine,
  column: Column,
  { job, parts }: Leased,
): Promise<ClaimView> {
  return claimView(engine, column, await completeParts(engine, job, parts));
}

/** A recorded claim answered again: the same lease and token while it lasts, with the card as it is now. */
export async function replayedClaim(
  engine: Engine,
  caller: Caller,
  column: Column,
  record: { card_id?: string | undefined; run?: number | undefined },
): Promise<ClaimView> {
  const { card_id: cardId = '', run = 0 } = record;
  const job = await readJob(engine, cardId);
  if (job === undefined || job.run !== run || job.state !== 'leased') {
    throw await lostLease(engine, caller, cardId, run);
  }
  const parts = await readParts(engine, cardId, run - 1);
  if (parts === undefined) throw await lostLease(engine, caller, cardId, run);
  return claimAnswer(engine, column, { job, parts });
}
