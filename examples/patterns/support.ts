/** What the patterns share: a board of their own, cards, and an agent that works until its queue is empty. */
import {
  worker,
  type Card,
  type CardInput,
  type ContractInput,
  type Handler,
  type LeaseboardClient,
} from '../../client/index.ts';

/** A client that calls under a name; in life each agent has its own, with a token of its own. */
export type Connect = (agent: string) => LeaseboardClient;

/** A pattern: plays itself on a new board, tells what happens, and answers the board's id. */
export type Pattern = (connect: Connect, say: (line: string) => void) => Promise<string>;

export interface Stage {
  readonly board: string;
  /** Id of the column with this name. */
  readonly column: (name: string) => string;
}

/** A board from the default template: Triage, To do, Ready and Review, Blocked, Done. */
export async function newStage(client: LeaseboardClient, name: string): Promise<Stage> {
  const { id, columns } = await client.boards.create({ name, slug: slugOf(name) });
  const column = (wanted: string): string => {
    const found = columns.find((candidate) => candidate.name === wanted);
    if (found === undefined) throw new Error(`The template has no column "${wanted}"`);
    return found.id;
  };
  return { board: id, column };
}

/** Slugs are taken once; each play has a board of its own. */
function slugOf(name: string): string {
  const unique = globalThis.crypto.randomUUID().slice(0, 8);
  return `${name.toLowerCase().replaceAll(' ', '-')}-${unique}`;
}

/** Makes a queue of a column, or another one of a queue; what is not given stays as it is. */
export async function setQueue(
  client: LeaseboardClient,
  { board, column }: Stage,
  name: string,
  changes: ContractInput,
): Promise<void> {
  const contract = await client.columns.contract(board, column(name));
  await client.columns.setContract(board, column(name), { ...contract, enabled: true, ...changes });
}

export async function newCard(
  client: LeaseboardClient,
  { board, column }: Stage,
  name: string,
  card: CardInput,
): Promise<Card> {
  return client.cards.create(board, { column_id: column(name), ...card });
}

/** One agent at one queue, until there is nothing left for it. */
export async function work(
  connect: Connect,
  { board, column }: Stage,
  name: string,
  agent: string,
  handler: Handler,
): Promise<void> {
  const options = { client: connect(agent), board, column: column(name), waitSeconds: 0, withContext: true };
  await worker({ ...options, handleSignals: false }, handler).run({ untilEmpty: true });
}

/** Metadata of the runs that completed a card's parents: what their workers handed on. */
export async function handOffs(client: LeaseboardClient, card: string): Promise<unknown[]> {
  const { parents } = await client.links.list(card);
  const runs = await Promise.all(parents.map(async ({ id }) => client.cards.runs(id)));
  return runs
    .flatMap(({ items }) => items.filter(({ outcome }) => outcome === 'completed'))
    .map((run) => run.metadata);
}
