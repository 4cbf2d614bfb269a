/** Bodies of the verbs that make many linked cards at once. */
import * as z from 'zod';
import { LIMITS } from '../policy.ts';
import { CreateCardBody } from './cards.ts';
import { LeaseToken } from './leases.ts';
import { idText, utf8 } from './text.ts';

/**
 * A card's name within its request. It cannot be mistaken for an id, which links may name as well, nor for the
 * prototype of the object that the answer is keyed by names in.
 */
const Ref = z
  .string()
  .regex(
    new RegExp(`^(?!crd_|__proto__$)[A-Za-z0-9._:/@-]{1,${LIMITS.refCharacters}}$`),
    `must be 1-${LIMITS.refCharacters} of letters, digits and ._:/@-, not beginning like the id of a card`,
  );

const GraphCard = CreateCardBody.omit({ dedupe_key: true, parents: true, lease_token: true }).extend({
  ref: Ref,
});
export type GraphCard = z.infer<typeof GraphCard>;

const graph = {
  cards: z.array(GraphCard).min(1).max(LIMITS.graphCards),
  links: z
    .array(z.strictObject({ parent: idText, child: idText }))
    .max(LIMITS.graphLinks)
    .optional(),
};

export const CreateGraphBody = z.strictObject(graph);
export type CreateGraphBody = z.infer<typeof CreateGraphBody>;

export const DecomposeCardBody = z.strictObject({ ...graph, lease_token: LeaseToken.optional() });
export type DecomposeCardBody = z.infer<typeof DecomposeCardBody>;

const Assignee = utf8(LIMITS.assigneeBytes, 1).nullable();

export const CreateSwarmBody = z.strictObject({
  goal: utf8(LIMITS.bodyBytes, 1).refine((text) => /\S/.test(text), {
    message: 'must have a character other than spaces',
  }),
  workers: z.array(Assignee).min(1).max(LIMITS.swarmWorkers),
  verifier: Assignee,
  synthesizer: Assignee,
  column_id: idText.optional(),
});
export type CreateSwarmBody = z.infer<typeof CreateSwarmBody>;
