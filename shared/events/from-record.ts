/**
 * A record of the table's stream, and the events that it alone names. A transition of a card or a board lists its
 * events in `ev` and numbers them by `sequence`, so none is lost or numbered twice, however often the record comes.
 */
import * as z from 'zod';
import {
  BoardSchema,
  EventNoteSchema,
  JobSchema,
  type BoardItem,
  type EventNote,
  type Job,
} from '../store/items.ts';
import { itemOfImage, type StreamImage } from '../store/stream-image.ts';

const LAST_TIME_MS = 8_640_000_000_000_000;

const Image = z.custom<StreamImage>((value) => typeof value === 'object' && value !== null);

const RecordSchema = z.object({
  dynamodb: z.object({
    SequenceNumber: z.string(),
    NewImage: Image.optional(),
    OldImage: Image.optional(),
  }),
});

/** What must be readable for an event to have an id at all. */
const NumberedSchema = z.object({
  pk: z.string(),
  sk: z.string(),
  board_id: z.string(),
  column_id: z.string().optional(),
  sequence: z.int().min(0),
  /** Within what a date can say. */
  updated_at: z.number().min(0).max(LAST_TIME_MS).catch(0),
  ev: z.array(z.looseObject({ type: z.string() })),
});
type Numbered = z.infer<typeof NumberedSchema>;

/** An event that has happened, with all that the record tells of it; not formatted yet. */
export interface Happened {
  /** Id of the card or the board in whose sequence it counts. */
  readonly subject: string;
  readonly sequence: number;
  readonly boardId: string;
  readonly cardId: string | null;
  readonly columnId: string | null;
  /** When, in ms. */
  readonly at: number;
  readonly type: string;
  /** What was noted with it; undefined when this version cannot read that. */
  readonly note: EventNote | undefined;
  /** The card or the board as the transition left it; undefined when this version cannot read that. */
  readonly job: Job | undefined;
  readonly board: BoardItem | undefined;
  /** Number of the record in the stream. */
  readonly record: string;
}

/**
 * The events of one record, oldest first; none for a record that is no transition.
 *
 * @throws when not even ids and types can be read.
 */
export function eventsOfRecord(record: unknown): Happened[] {
  const { SequenceNumber, NewImage, OldImage } = RecordSchema.parse(record).dynamodb;
  if (NewImage === undefined) return [];
  const image = itemOfImage(NewImage);
  const now = NumberedSchema.parse(image);
  // A silent write leaves the notes of the transition before it in place.
  if (OldImage !== undefined && sequenceOf(OldImage) === now.sequence) return [];
  const isCard = now.sk === 'JOB';
  const job = isCard ? JobSchema.safeParse(image).data : undefined;
  const board = isCard ? undefined : BoardSchema.safeParse(image).data;
  return now.ev.map((noted, at) => ({
    ...placeOf(now, noted),
    subject: now.pk,
    sequence: now.sequence - now.ev.length + 1 + at,
    cardId: isCard ? now.pk : null,
    job,
    board,
    record: SequenceNumber,
  }));
}

function placeOf(now: Numbered, noted: Numbered['ev'][number]) {
  const note = EventNoteSchema.safeParse(noted).data;
  return {
    boardId: now.board_id,
    columnId: note?.column_id ?? now.column_id ?? null,
    at: now.updated_at,
    type: noted.type,
    note,
  };
}

function sequenceOf(image: StreamImage): unknown {
  return itemOfImage(image)['sequence'];
}
