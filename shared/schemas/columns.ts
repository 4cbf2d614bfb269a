/** Bodies of the column verbs. A contract's body is read by its own parser, which answers `invalid_contract`. */
import * as z from 'zod';
import { COLUMN_ROLES } from '../model/states.ts';
import { Name } from './boards.ts';
import { idText } from './text.ts';

const WIP_LIMIT_MAX = 10_000;

const fields = {
  role: z.enum(COLUMN_ROLES).optional(),
  before: idText.optional(),
  after: idText.optional(),
  /** Shown, never enforced. */
  wip_limit: z.number().int().min(1).max(WIP_LIMIT_MAX).nullable().optional(),
};
const besideOne = {
  path: ['after'],
  message: 'give either before or after, the id of one column that it stands beside',
};

export const CreateColumnBody = z
  .strictObject({ name: Name, ...fields })
  .refine((body) => body.before === undefined || body.after === undefined, besideOne);
export type CreateColumnBody = z.infer<typeof CreateColumnBody>;

export const UpdateColumnBody = z
  .strictObject({ name: Name.optional(), ...fields })
  .refine((body) => body.before === undefined || body.after === undefined, besideOne);
export type UpdateColumnBody = z.infer<typeof UpdateColumnBody>;
