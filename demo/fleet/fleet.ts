/** The fleet: always the same number of workers, each that dies replaced at once by a new one. */
import { inProcessMember } from './in-process-member.ts';
import type { Assignment, Desk, Member, Told } from './member.ts';
import { doomedClaims } from './plan.ts';
import { processMember } from './process-member.ts';

/** Sixteen workers: most in this process, where many are cheap, and some in processes that kill -9 can end. */
const IN_PROCESS = 12;
const PROCESSES = 4;
/** Cards that a process holds at once: its claims and renewals go in batches. */
const CARDS_PER_PROCESS = 2;

export interface FleetPlan {
  readonly url: string;
  readonly token: string;
  readonly board: string;
  readonly columnId: string;
  readonly cards: number;
  readonly kills: number;
  readonly seed: number;
}

/** The fleet's own count of what it did: for the progress bar, never for a check. */
export interface Tally {
  claimed: number;
  completed: number;
  failed: number;
  deadLettered: number;
  unplugged: number;
  killed: number;
}

type Kind = 'in process' | 'process';

export class Fleet {
  readonly tally: Tally = { claimed: 0, completed: 0, failed: 0, deadLettered: 0, unplugged: 0, killed: 0 };
  readonly #plan: FleetPlan;
  readonly #doomed: ReadonlySet<number>;
  readonly #members = new Map<string, Member>();
  #hired = 0;
  #stopping = false;
  #broken: unknown;

  constructor(plan: FleetPlan) {
    this.#plan = plan;
    this.#doomed = doomedClaims(plan.seed, plan.kills, plan.cards);
  }

  start(): void {
    for (let count = 0; count < IN_PROCESS; count += 1) this.#hire('in process');
    for (let count = 0; count < PROCESSES; count += 1) this.#hire('process');
  }

  /** Throws when a worker has ended that should not have. */
  check(): void {
    if (this.#broken !== undefined) throw new Error('A worker has ended by itself', { cause: this.#broken });
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    await Promise.all([...this.#members.values()].map((member) => member.stop()));
  }

  #hire(kind: Kind): void {
    if (this.#stopping) return;
    this.#hired += 1;
    const agent = `drafter-${this.#hired}`;
    const { url, token, board, columnId, seed } = this.#plan;
    const concurrency = kind === 'process' ? CARDS_PER_PROCESS : 1;
    const assignment: Assignment = { url, token, board, columnId, seed, agent, concurrency };
    const desk = this.#desk(agent, kind);
    const member = kind === 'process' ? processMember(assignment, desk) : inProcessMember(assignment, desk);
    this.#members.set(agent, member);
  }

  #desk(agent: string, kind: Kind): Desk {
    return {
      claimed: () => {
        this.tally.claimed += 1;
        return !this.#stopping && this.#doomed.has(this.tally.claimed) ? 'die' : 'work';
      },
      happened: (event) => this.#count(event),
      died: () => {
        if (kind === 'process') this.tally.killed += 1;
        else this.tally.unplugged += 1;
        this.#members.delete(agent);
        this.#hire(kind);
      },
      broke: (error) => {
        if (!this.#stopping) this.#broken ??= error;
      },
    };
  }

  #count(event: Told): void {
    if (event.type === 'completed') this.tally.completed += 1;
    if (event.type === 'failed') this.tally.failed += 1;
    if (event.deadLettered) this.tally.deadLettered += 1;
  }
}
