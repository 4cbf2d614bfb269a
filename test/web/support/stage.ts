/** A stack of its own with one board on it, for one file of browser tests. */
import {
  LeaseboardClient,
  type BoardDetail,
  type Card,
  type CardInput,
  type Claim,
} from '../../../client/index.ts';
import { startOwnStack } from '../../../demo/fleet/own-stack.ts';

export interface Stage {
  readonly url: string;
  readonly token: string;
  readonly client: LeaseboardClient;
  readonly board: BoardDetail;
  /** Id of a column by its name. */
  column(name: string): string;
  create(column: string, title: string, more?: Partial<CardInput>): Promise<Card>;
  claim(card: Card, agent: string, leaseTtlSeconds?: number): Promise<Claim>;
  stop(): Promise<void>;
}

export const SLUG = 'stage';

/** @param options Further ones of `npm start`. */
export async function setStage(options: readonly string[] = []): Promise<Stage> {
  const stack = await startOwnStack(options);
  const client = new LeaseboardClient({ url: stack.url, token: stack.token });
  await client.boards.create({ name: 'Stage', slug: SLUG });
  const board = await client.boards.get(SLUG);
  const column = (name: string): string => {
    const found = board.columns.find((one) => one.name === name);
    if (found === undefined) throw new Error(`There is no column ${name}`);
    return found.id;
  };
  return {
    url: stack.url,
    token: stack.token,
    client,
    board,
    column,
    create: async (name, title, more = {}) =>
      client.cards.create(SLUG, { column_id: column(name), title, ...more }),
    claim: async (card, agent, ttl) =>
      client.cards.claim(card.id, { agent, ...(ttl === undefined ? {} : { lease_ttl_seconds: ttl }) }),
    stop: stack.stop,
  };
}
