/** Cards: creating, reading and changing them. What people do to a card by a verb is in `card-verbs.ts`. */
import { at, change, create, once, read, remove, type RequestOptions, type Send } from '../call.ts';
import type {
  BatchItem,
  BoardEvent,
  BulkInput,
  BulkItem,
  Card,
  CardContext,
  CardInput,
  CardPatch,
  CardQuery,
  CardSummary,
  Claim,
  Forced,
  GraphAnswer,
  GraphInput,
  NamedClaimInput,
  Page,
  PageQuery,
  Run,
  SwarmInput,
} from '../types.ts';
import { cardVerbs } from './card-verbs.ts';

/** A hundred rows are a hundred transactions; with the usual time it is as long as a gateway waits. */
const MANY_ROWS_MS = 20_000;

export function cardRoutes(send: Send) {
  return { ...cardResource(send), ...cardVerbs(send) };
}

function cardResource(send: Send) {
  return {
    create: (board: string, input: CardInput, options?: RequestOptions) =>
      send<Card>(create(at`/v1/boards/${board}/cards`, input), options),
    /** 1-100 cards, each row by itself: look at every row's status. */
    createBatch: (board: string, cards: readonly CardInput[], options?: RequestOptions) =>
      send<{ readonly items: readonly BatchItem[] }>(
        { ...create(at`/v1/boards/${board}/cards:batch`, { cards }), serverWaitMs: MANY_ROWS_MS },
        options,
      ),
    createGraph: (board: string, graph: GraphInput, options?: RequestOptions) =>
      send<GraphAnswer>(create(at`/v1/boards/${board}/graphs`, graph), options),
    createSwarm: (board: string, swarm: SwarmInput, options?: RequestOptions) =>
      send<GraphAnswer>(create(at`/v1/boards/${board}/graphs:swarm`, swarm), options),
    list: (board: string, query: CardQuery = {}, options?: RequestOptions) =>
      send<Page<CardSummary>>(read(at`/v1/boards/${board}/cards`, { ...query }), options),
    get: (card: string, options?: RequestOptions) => send<Card>(read(at`/v1/cards/${card}`), options),
    /** With `ifMatch` a card that changed meanwhile is refused (412); with `leaseToken` a worker changes its own. */
    update: (card: string, patch: CardPatch, options?: RequestOptions) =>
      send<Card>(change(at`/v1/cards/${card}`, patch), options),
    delete: (card: string, forced: Forced = {}, options?: RequestOptions) =>
      send<void>(remove(at`/v1/cards/${card}`, { ...forced }), options),
    bulk: (board: string, input: BulkInput, options?: RequestOptions) =>
      send<{ readonly items: readonly BulkItem[] }>(
        { ...once(at`/v1/boards/${board}/cards:bulk`, input), serverWaitMs: MANY_ROWS_MS },
        options,
      ),
    /** This card and no other; held: 409 `lease_held` names the holder. */
    claim: (card: string, input: NamedClaimInput = {}, options?: RequestOptions) =>
      send<Claim>(create(at`/v1/cards/${card}:claim`, input), options),
    /** Sub-cards of this one, which then waits for them. */
    decompose: (card: string, graph: GraphInput, options?: RequestOptions) =>
      send<GraphAnswer>(create(at`/v1/cards/${card}:decompose`, graph), options),
    /** Every attempt, oldest first. */
    runs: (card: string, query: PageQuery = {}, options?: RequestOptions) =>
      send<Page<Run>>(read(at`/v1/cards/${card}/runs`, { ...query }), options),
    /** The oldest first, unless the newest are wanted first. */
    events: (
      card: string,
      query: PageQuery & { readonly order?: 'oldest' | 'newest' } = {},
      options?: RequestOptions,
    ) => send<Page<BoardEvent>>(read(at`/v1/cards/${card}/events`, { ...query }), options),
    /** What a worker should have read before it starts. */
    context: (card: string, options?: RequestOptions) =>
      send<CardContext>(read(at`/v1/cards/${card}/context`), options),
  };
}
