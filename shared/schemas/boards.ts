/** Bodies and queries of the board verbs. */
import * as z from 'zod';
import { SLUG_MAX } from '../boards/slug.ts';
import { TEMPLATES } from '../boards/template.ts';
import { CONTRACT_BOUNDS } from '../contract/contract-fields.ts';
import { LIMITS } from '../policy.ts';
import { RETENTION_DAYS } from '../retention/policy.ts';
import { flag, paging } from './paging.ts';
import { utf8 } from './text.ts';

const SLUG = new RegExp(`^[A-Za-z0-9][A-Za-z0-9_-]{0,${SLUG_MAX - 1}}$`);

const CONTROL = /\p{Cc}/u;
const SHOWN = /[^\p{Cc}\s]/u;

/** Of boards, columns and tokens: something to read, on one line. Each check takes time by the length alone. */
export const Name = z
  .string()
  .max(LIMITS.nameCharacters)
  .refine((name) => SHOWN.test(name) && !CONTROL.test(name), {
    message: 'must have a character other than spaces, and no line breaks',
  });

const details = {
  description: utf8(LIMITS.descriptionBytes).nullable().optional(),
  icon: utf8(LIMITS.iconBytes).nullable().optional(),
};

export const CreateBoardBody = z.strictObject({
  name: Name,
  slug: z
    .string()
    .regex(SLUG, `must be 1-${SLUG_MAX} of letters, digits, _ and -, beginning with a letter or digit`)
    .toLowerCase()
    .optional(),
  ...details,
  template: z.enum(TEMPLATES).optional(),
});
export type CreateBoardBody = z.infer<typeof CreateBoardBody>;

const { least, most } = CONTRACT_BOUNDS.concurrency_limit;

/** Whole days; never none or fewer, which would be all at once. */
const days = (bounds: { least: number; most: number }) =>
  z.number().int().min(bounds.least).max(bounds.most).nullable().optional();

/** The slug is not among them: addresses must not change. */
export const UpdateBoardBody = z.strictObject({
  name: Name.optional(),
  ...details,
  max_in_progress: z.number().int().min(least).max(most).nullable().optional(),
  event_retention_days: days(RETENTION_DAYS.event_retention_days),
  run_retention_days: days(RETENTION_DAYS.run_retention_days),
  archived_retention_days: days(RETENTION_DAYS.archived_retention_days),
});
export type UpdateBoardBody = z.infer<typeof UpdateBoardBody>;

export const ListBoardsQuery = z.strictObject({ ...paging, archived: flag.default(false) });
export type ListBoardsQuery = z.infer<typeof ListBoardsQuery>;

/** Of `DELETE B`: with `hard` it is gone for good, without it is archived. */
export const DeleteBoardQuery = z.strictObject({ hard: flag.default(false) });
export type DeleteBoardQuery = z.infer<typeof DeleteBoardQuery>;

export const DiagnosticsQuery = z.strictObject(paging);
export type DiagnosticsQuery = z.infer<typeof DiagnosticsQuery>;
