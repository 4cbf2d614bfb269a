/**
 * Time of a simulation: what is to happen, in order, on one thread. Everything that waits, waits here, so that a run
 * is decided by its seed and by nothing else. What belongs to a process happens only while it lives and is awake.
 */

/**
 * All that follows at once from what has just happened: ticks come when no promise is left to be gone on with, and
 * nothing in a simulation waits for the machine.
 */
const settled = async (): Promise<void> => new Promise((resolve) => process.nextTick(resolve));

/** Something that may be killed, or put to sleep between any two of its awaits. */
export class Process {
  alive = true;
  frozenUntil = 0;
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

interface Task {
  readonly at: number;
  /** Tasks of one instant keep the order in which they were set. */
  readonly order: number;
  readonly process: Process | null;
  readonly run: () => void;
}

const isBefore = (a: Task, b: Task): boolean => a.at < b.at || (a.at === b.at && a.order < b.order);

export class Scheduler {
  readonly #heap: Task[] = [];
  #now: number;
  #order = 0;
  /** Tasks run so far. */
  steps = 0;

  constructor(startAt: number) {
    this.#now = startAt;
  }

  /** Milliseconds since the epoch, with fractions. */
  get now(): number {
    return this.#now;
  }

  after(ms: number, process: Process | null, run: () => void): void {
    this.#order += 1;
    this.#push({ at: this.#now + Math.max(0, ms), order: this.#order, process, run });
  }

  /** So long nothing happened: what was due meanwhile is due now. */
  skip(ms: number): void {
    this.#now += ms;
  }

  /** Never ends for a process that is killed meanwhile. */
  async sleep(ms: number, process: Process | null): Promise<void> {
    return new Promise((done) => this.after(ms, process, done));
  }

  /** Lets things happen, one after the other and each with all that follows at once, until `isOver`. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const task = this.#pop();
      if (task === undefined) return;
      this.#now = Math.max(this.#now, task.at);
      const owner = task.process;
      if (owner?.alive === false) continue;
      if (owner !== null && owner.frozenUntil > this.#now) {
        this.after(owner.frozenUntil - this.#now, owner, task.run);
        continue;
      }
      this.steps += 1;
      task.run();
      await settled();
    }
  }

  #push(task: Task): void {
    const heap = this.#heap;
    let at = heap.push(task) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, task)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = task;
  }

  #pop(): Task | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      const right = heap[below + 1];
      let child = heap[below];
      if (child === undefined) break;
      if (right !== undefined && isBefore(right, child)) {
        below += 1;
        child = right;
      }
      if (isBefore(last, child)) break;
      heap[at] = child;
      at = below;
    }
    heap[at] = last;
    return first;
  }
}
