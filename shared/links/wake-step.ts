/**
 * The fan-out's part in waking. A card that was done, or opened again, may have more children than its own call looked
 * at: its timer is rung at once, and nobody has to claim or to wait for the reaper. And a card that has come to wait
 * for others is looked at once more, since the call that made it wait may have died before it looked.
 */
import type { Engine } from '../engine.ts';
import type { EventEnvelope } from '../events/envelope.ts';
import type { OutgoingEvent } from '../events/log.ts';
import type { FanOutStep } from '../events/step.ts';
import { FAN_OUT_WIDTH, WAKE_BUDGET_MS, WAKE_TRIES } from '../policy.ts';
import { ChildrenTimerSchema } from '../store/link-items.ts';
import { inWidth } from '../width.ts';
import { childrenTimerKey } from './children-timer.ts';
import { lookAtCards } from './look.ts';
import { ringChildren } from './wake.ts';

/** What does not fit into its time stays with the timer, for claims and reaper: a batch must not hold up the next. */
export function wakeStep(engine: Engine): FanOutStep {
  return async (events) => {
    const until = engine.deps.now() + WAKE_BUDGET_MS;
    const told = events.map((event) => ({ event, about: aboutOf(event) }));
    const turned = told.filter(({ about }) => about === 'turned').map(({ event }) => event);
    const waiting = told.filter(({ about }) => about === 'waits').map(({ event }) => event);
    await inWidth(FAN_OUT_WIDTH, cardsOf(turned), async (id) => ringUntilGone(engine, id, until));
    return lookAgain(engine, waiting);
  };
}

/** `turned`: the card became done, or was. `waits`: it waits for others. Read from what is sent anyway. */
function aboutOf({ text, cardId }: OutgoingEvent): 'turned' | 'waits' | null {
  if (cardId === null) return null;
  const { previous, data }: Pick<EventEnvelope, 'previous' | 'data'> = JSON.parse(text);
  const card = data.card;
  if (card === null) return null;
  if ((card.state === 'done') !== (previous?.state === 'done')) return 'turned';
  return card.waiting_on === 'parents' || card.waiting_on === 'container' ? 'waits' : null;
}

const cardsOf = (events: readonly OutgoingEvent[]): string[] => [
  ...new Set(events.flatMap(({ cardId }) => cardId ?? [])),
];

/** Whatever goes wrong: the timer stays, and rings for others. */
async function ringUntilGone(engine: Engine, cardId: string, until: number): Promise<void> {
  try {
    for (let tries = 0; tries < WAKE_TRIES && engine.deps.now() < until; tries += 1) {
      const item = await engine.store.get(childrenTimerKey(cardId));
      if (item === undefined) return;
      await ringChildren(engine, ChildrenTimerSchema.parse(item), until);
    }
  } catch {
    // Claims and reaper meet the timer.
  }
}

/** Nothing else would look at these: what fails comes again. */
async function lookAgain(engine: Engine, events: readonly OutgoingEvent[]): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  await inWidth(FAN_OUT_WIDTH, cardsOf(events), async (id) => {
    try {
      await lookAtCards(engine, [id]);
    } catch {
      for (const event of events) if (event.cardId === id) failed.add(event.id);
    }
  });
  return failed;
}
