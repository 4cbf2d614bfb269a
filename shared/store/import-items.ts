/** The stored shape of what a board remembers of its imports. */
import * as z from 'zod';

const common = { pk: z.string(), sk: z.string(), v: z.number(), board_id: z.string() };

/** IMPORT of a board: cards of that board keep the numbers of their keys up to `numbers`; 0 for none. */
export const ImportedBoardSchema = z.object({ ...common, numbers: z.number() });

/** IMPORT of a column of the board `source`: the column that its cards stand in here. */
export const ImportedColumnSchema = z.object({ ...common, source: z.string(), column_id: z.string() });
