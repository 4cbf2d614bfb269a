/** Bodies and queries of the link verbs. */
import * as z from 'zod';
import { LeaseToken } from './leases.ts';
import { idText } from './text.ts';

const ends = { parent_id: idText.optional(), child_id: idText.optional() };
const oneEnd = { message: 'give one of parent_id and child_id: the other is the card in the path' };
const isOneEnd = (link: { parent_id?: string | undefined; child_id?: string | undefined }): boolean =>
  (link.parent_id === undefined) !== (link.child_id === undefined);

export const LinkCardsBody = z
  .strictObject({ ...ends, lease_token: LeaseToken.optional() })
  .refine(isOneEnd, oneEnd);
export type LinkCardsBody = z.infer<typeof LinkCardsBody>;

export const UnlinkCardsQuery = z.strictObject(ends).refine(isOneEnd, oneEnd);
export type UnlinkCardsQuery = z.infer<typeof UnlinkCardsQuery>;
