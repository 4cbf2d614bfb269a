/** The stored shape of links: an edge under each of its two cards. */
import * as z from 'zod';

const common = { pk: z.string(), sk: z.string(), v: z.number(), board_id: z.string() };

/** EDGE, under parent and child alike. */
export const EdgeSchema = z.object({
  ...common,
  /** The parent is a sub-card, and the child its container. */
  sub: z.literal(true).optional(),
});

/** Parents of a card just created whose edges are still being written: as good as edges, and a timer to finish. */
export const PendingParentsSchema = z.object({ ...common, parents: z.array(z.string()) });

/** LINKS: raised by every link that joins two cards which were there before. */
export const LinkVersionSchema = z.object({ ...common, version: z.number() });

/** TIMER of a card whose children are still to be looked at; `seen` is the last one that was. */
export const ChildrenTimerSchema = z.object({
  ...common,
  lane: z.string(),
  pos: z.string(),
  seen: z.string().optional(),
});

/** GRAPH: until it is committed, its cards do not exist. `cards`: their ids by ref. */
export const GraphSchema = z.object({
  ...common,
  state: z.enum(['open', 'committed', 'aborted']),
  cards: z.record(z.string(), z.string()),
  opened_at: z.number(),
  ttl: z.number().optional(),
});
export type GraphItem = z.infer<typeof GraphSchema>;
