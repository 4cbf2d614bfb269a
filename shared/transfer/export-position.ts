/** Where an export stands: what its cursor holds. */
import * as z from 'zod';

/** The card that was looked at last; `under`, among what lies under it, the key of the last row. */
const Card = z.object({ pk: z.string(), created: z.string(), under: z.string().optional() });

/** `until`: time key of the export's beginning. Cards that are newer are left for the next export. */
export const ExportPosition = z.discriminatedUnion('stage', [
  z.object({ stage: z.literal('head'), until: z.string(), at: z.number() }),
  z.object({ stage: z.literal('cards'), until: z.string(), card: Card.optional() }),
  z.object({ stage: z.literal('links'), until: z.string(), card: Card.optional() }),
]);
export type ExportPosition = z.infer<typeof ExportPosition>;
export type CardPosition = Exclude<ExportPosition, { stage: 'head' }>;
