/** The cards of a graph as they will stand when it is committed. Pure: what is outside the graph was read before. */
import { newCard } from '../cards/new-card.ts';
import type { WholeCard } from '../cards/read.ts';
import type { Column } from '../columns.ts';
import type { Deps } from '../deps.ts';
import { withParentFacts } from '../links/facts.ts';
import { standing } from '../links/look.ts';
import { isSatisfied } from '../links/satisfied.ts';
import type { Actor, Job } from '../store/items.ts';
import type { GraphPlan, PlannedCard } from './plan.ts';

export interface BuildInput {
  readonly plan: GraphPlan;
  /** Cards outside the graph that it names. */
  readonly known: ReadonlyMap<string, Job>;
  readonly columnOf: (card: PlannedCard) => Column;
  /** `BUG-12`, by the card's place in the request. */
  readonly keyOf: (place: number) => string;
  readonly by: Actor;
  /** Trace of the request. */
  readonly traceparent: string | undefined;
}

/** In the order of the request. */
export function buildCards(input: BuildInput, deps: Deps): WholeCard[] {
  const { plan } = input;
  const jobs = new Map<string, Job>(input.known);
  const built = new Map<string, WholeCard>();
  const places = new Map(plan.cards.map(({ id }, at) => [id, at]));
  for (const card of parentsFirst(plan)) {
    const whole = buildCard(input, card, places.get(card.id) ?? 0, jobs, deps);
    jobs.set(card.id, whole.job);
    built.set(card.id, whole);
  }
  return plan.cards.flatMap(({ id }) => built.get(id) ?? []);
}

function buildCard(
  { plan, columnOf, keyOf, by, traceparent }: BuildInput,
  card: PlannedCard,
  place: number,
  jobs: ReadonlyMap<string, Job>,
  deps: Deps,
): WholeCard {
  const { ref: _ref, ...body } = card.body;
  const column = columnOf(card);
  const into = plan.edges.filter(({ child }) => child === card.id);
  const states = into.map(({ parent, sub }) => ({ sub, job: jobs.get(parent) }));
  const above = [
    ...states.filter(({ sub }) => !sub).map(({ job }) => job),
    jobs.get(body.container_id ?? ''),
  ];
  const tenant = above.find((job) => job?.tenant !== undefined)?.tenant;
  const { id, rankedAt } = card;
  const birth = { column, by, id, key: keyOf(place), rankedAt, tenant, traceparent };
  const whole = newCard(body, birth, deps);
  const isOpen = ({ job }: { job: Job | undefined }) => job === undefined || !isSatisfied(job);
  const subs = states.filter(({ sub }) => sub);
  const facts = {
    parentsOpen: states.filter(({ sub }) => !sub).some(isOpen),
    subsDone: subs.length > 0 && !subs.some(isOpen),
  };
  return { ...whole, job: standing(withParentFacts(whole.job, facts), column, deps.now()) };
}

/** The links close no cycle: that was looked at before. */
function parentsFirst({ cards, edges }: GraphPlan): PlannedCard[] {
  const byId = new Map(cards.map((card) => [card.id, card]));
  const parents = new Map<string, string[]>();
  for (const { parent, child } of edges) {
    if (byId.has(parent)) parents.set(child, [...(parents.get(child) ?? []), parent]);
  }
  const left = new Map(cards.map(({ id }) => [id, new Set(parents.get(id) ?? [])]));
  const children = new Map<string, string[]>();
  for (const [child, above] of parents) {
    for (const parent of above) children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const ready = cards.filter(({ id }) => left.get(id)?.size === 0).map(({ id }) => id);
  for (const id of ready) {
    for (const child of children.get(id) ?? []) {
      const open = left.get(child);
      open?.delete(id);
      if (open?.size === 0) ready.push(child);
    }
  }
  return ready.flatMap((id) => byId.get(id) ?? []);
}
