/** Building blocks of the answers' schemas. They document and test what the views make; nothing is parsed by them at run time. */
import * as z from 'zod';

export const Time = z.iso
  .datetime({ precision: 3 })
  .meta({ description: 'ISO 8601 in UTC, with milliseconds' });
export const TimeOrNull = Time.nullable();
export const text = z.string();
export const textOrNull = z.string().nullable();
export const count = z.int().min(0);
export const JsonObject = z.record(z.string(), z.unknown());

export const FieldFault = z.object({
  path: text.meta({ description: 'JSON pointer to the field; of a parameter or a header its name' }),
  message: text,
});

/** A page of a list; `next_cursor` is null at the end. */
export const pageOf = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), next_cursor: textOrNull });
