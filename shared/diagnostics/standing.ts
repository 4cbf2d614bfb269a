/** What keeps a column from giving out a card that could otherwise be claimed: pauses, limits, four eyes. */
import { capsOf } from '../claim/caps.ts';
import { loadsOf, type Load } from '../claim/room.ts';
import type { Board, Column } from '../columns.ts';
import { CONTRACT_BOUNDS } from '../contract/contract-fields.ts';
import type { Engine } from '../engine.ts';
import { assigneeAt } from '../model/reservation.ts';
import type { Job } from '../store/items.ts';
import { NO_BODY, post, type Diagnosis } from './codes.ts';

/** A column, with what holds for every card in it. */
export interface Standing {
  readonly column: Column;
  /** The board is archived: nothing else matters before that is undone. */
  readonly closed: Diagnosis | null;
  /** Nothing that could be claimed is given out. */
  readonly halted: Diagnosis | null;
  /** By agent: whether it holds as many cards of the column as one may. */
  readonly fullAgents: Map<string, Promise<boolean>>;
}

export async function standingOf(engine: Engine, board: Board, column: Column): Promise<Standing> {
  const closed = board.item.archived_at === undefined ? null : archived(board);
  const halted = closed === null && column.queue ? await halt(engine, column) : null;
  return { column, closed, halted, fullAgents: new Map() };
}

/** True when a card that stands ready there may still not be offered. */
export function mayWithhold({ column, closed, halted }: Standing): boolean {
  const { exclude_previous_holder: fourEyes, max_per_assignee: perAgent } = column.contract;
  return closed !== null || halted !== null || (column.queue && (fourEyes || perAgent !== null));
}

/** Why a card that is free and eligible is not offered; null when it is. */
export async function withheld(engine: Engine, standing: Standing, job: Job): Promise<Diagnosis | null> {
  const { column, halted } = standing;
  const assignee = assigneeAt(job, engine.deps.now());
  if (halted !== null || assignee === undefined) return halted;
  if (column.contract.exclude_previous_holder && assignee === job.prev_agent) {
    return {
      code: 'four_eyes',
      sentence: `It is for ${assignee} alone, who worked on it in the stage before; here somebody else must.`,
      action: unassign(job),
    };
  }
  if (!(await isFull(engine, standing, assignee))) return null;
  return {
    code: 'assignee_full',
    sentence: `It is for ${assignee} alone, who holds as many cards of '${column.item.name}' as one agent may.`,
    action: unassign(job),
  };
}

const unassign = ({ pk }: Job) => post('assignCard', pk, 'assign', { assignee: null });

async function isFull(engine: Engine, { column, fullAgents }: Standing, agent: string): Promise<boolean> {
  const caps = capsOf(column, agent).filter(({ kind }) => kind === 'agent');
  if (caps.length === 0) return false;
  const known = fullAgents.get(agent) ?? loadsOf(engine, caps).then((loads) => loads.some(isReached));
  fullAgents.set(agent, known);
  return known;
}

const isReached = ({ cap, live }: Load): boolean => live >= cap.limit;

async function halt(engine: Engine, column: Column): Promise<Diagnosis | null> {
  if (column.paused) {
    return {
      code: 'column_paused',
      sentence: `Its column '${column.item.name}' is paused.`,
      action: { verb: 'resumeColumn', method: 'POST', path: `${pathOf(column)}:resume`, body: NO_BODY },
    };
  }
  const caps = capsOf(column, '').filter(({ kind }) => kind !== 'agent');
  const reached = (await loadsOf(engine, caps)).find(isReached);
  if (reached === undefined) return null;
  return reached.cap.kind === 'board' ? boardFull(column, reached) : columnFull(column, reached);
}

function columnFull(column: Column, load: Load): Diagnosis {
  const body = { ...column.contract, concurrency_limit: raised(load) };
  return {
    code: 'column_full',
    sentence: `Its column '${column.item.name}' has ${leases(load)}: wait for one to end, or raise the limit.`,
    action: { verb: 'putContract', method: 'PUT', path: `${pathOf(column)}/contract`, body },
  };
}

function boardFull(column: Column, load: Load): Diagnosis {
  const path = `/v1/boards/${column.board_id}`;
  return {
    code: 'board_full',
    sentence: `Its board has ${leases(load)}: wait for one to end, or raise max_in_progress.`,
    action: { verb: 'updateBoard', method: 'PATCH', path, body: { max_in_progress: raised(load) } },
  };
}

const leases = ({ cap, live }: Load): string => `${live} live leases and a limit of ${cap.limit}`;

/** The next limit that has room, null for none. */
function raised({ cap, live }: Load): number | null {
  const next = Math.max(cap.limit, live) + 1;
  return next > CONTRACT_BOUNDS.concurrency_limit.most ? null : next;
}

function archived({ id }: Board): Diagnosis {
  const path = `/v1/boards/${id}:restore`;
  return {
    code: 'board_archived',
    sentence: 'Its board is archived.',
    action: { verb: 'restoreBoard', method: 'POST', path, body: NO_BODY },
  };
}

const pathOf = ({ board_id, column_id }: Column): string => `/v1/boards/${board_id}/columns/${column_id}`;
