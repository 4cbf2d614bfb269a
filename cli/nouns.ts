/** Every noun with its verbs: what the API can do, as commands. */
import type { Noun } from './verb.ts';
import { runs, server, tokens } from './nouns/access.ts';
import { aroundVerbs } from './nouns/around.ts';
import { boards } from './nouns/boards.ts';
import { cardVerbs } from './nouns/cards.ts';
import { supervisionVerbs } from './nouns/card-verbs.ts';
import { claimVerbs } from './nouns/claims.ts';
import { columns } from './nouns/columns.ts';
import { events, webhooks } from './nouns/delivery.ts';
import { leases } from './nouns/leases.ts';

const cards: Noun = {
  name: 'card',
  summary: 'Cards: making, finding, claiming and supervising them',
  verbs: [...cardVerbs, ...claimVerbs, ...supervisionVerbs, ...aroundVerbs],
};

export const NOUNS: readonly Noun[] = [
  boards,
  columns,
  cards,
  leases,
  runs,
  events,
  webhooks,
  tokens,
  server,
];
