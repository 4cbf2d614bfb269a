/**
 * Comments, runs and attachments of a card that is there. They are put where they lay, and only where the card has
 * been past that place: so none is put twice, none over another, and what happens from now on lies behind them. They
 * make no events.
 */
import { freeName, safeName } from '../attachments/file-name.ts';
import { FILES_PER_CARD } from '../attachments/policy.ts';
import { attachmentRows } from '../attachments/rows.ts';
import { mentionsIn } from '../comments/mentions.ts';
import { problem } from '../errors.ts';
import { toJsonText } from '../store/items.ts';
import type { AttachmentRow, CommentRow, RunRow } from '../schemas/transfer.ts';
import type { AttachmentItem } from '../store/attachment-items.ts';
import { ABSENT } from '../store/conditions.ts';
import { LAYOUT_VERSION, type CommentItem, type Job } from '../store/items.ts';
import { attachmentKey, commentKey, runKey } from '../store/keys.ts';
import { importedId } from './imported-id.ts';
import { mustBeThere, type CardNames, type Imported, type Importing } from './importing.ts';
import { columnNames, importedColumns } from './register.ts';

export type AroundRow = AttachmentRow | CommentRow | RunRow;

export interface AroundImport extends Importing {
  readonly nameOf: CardNames;
  readonly columnOf: (id: string | undefined) => string | undefined;
}

export async function aroundImport(importing: Importing, nameOf: CardNames): Promise<AroundImport> {
  const { engine, board } = importing;
  return { ...importing, nameOf, columnOf: columnNames(board, await importedColumns(engine, board.id)) };
}

export async function importAround(importing: AroundImport, row: AroundRow): Promise<Imported> {
  const job = mustBeThere(importing.nameOf(row.card_id), row.card_id);
  if (row.type === 'comment') return importComment(importing, row, job);
  return row.type === 'run' ? importRun(importing, row, job) : importAttachment(importing, row, job);
}

/** The id of something under a card: its own where the card is its own. */
function idUnder(importing: Importing, row: AttachmentRow | CommentRow, job: Job): string {
  const prefix = row.type === 'comment' ? 'cmt' : 'att';
  return job.pk === row.card_id ? row.id : importedId(prefix, importing.board.id, row.id);
}

function tooNew(what: string, cardId: string) {
  return problem(
    'conflict',
    `The ${what} is newer than the card ${cardId} as it was imported, and a card that is there is not brought up to ` +
      'date. Import to another board.',
  );
}

async function importComment(importing: Importing, row: CommentRow, job: Job): Promise<Imported> {
  const { engine } = importing;
  if (row.sequence > job.sequence) throw tooNew('comment', row.card_id);
  const id = idUnder(importing, row, job);
  const item: CommentItem = {
    ...commentKey(job.pk, row.sequence),
    v: LAYOUT_VERSION,
    board_id: job.board_id,
    id,
    by: row.author,
    body: row.body,
    mentions: mentionsIn(row.body),
    created_at: Date.parse(row.created_at),
  };
  const written = await engine.store.write({ kind: 'put', item, condition: ABSENT });
  if (written.ok || written.old?.['id'] === id) return { created: written.ok, id };
  throw tooNew('comment', row.card_id);
}

/** The run that went on ended with the export; of a card that is held here again it is a run of long ago. */
async function importRun(importing: AroundImport, row: RunRow, job: Job): Promise<Imported> {
  const { engine, columnOf } = importing;
  if (row.number > job.run) throw tooNew('run', row.card_id);
  if (row.number === job.run && job.state === 'leased') return { created: false, id: null };
  const { type: _type, card_id: _card, column_id, ended_by, metadata, output, ...rest } = row;
  const { next_attempt_at, started_at, ended_at, ...fields } = rest;
  const column = columnOf(column_id);
  const item = {
    ...runKey(job.pk, row.number),
    v: LAYOUT_VERSION,
    board_id: job.board_id,
    ...stated({
      ...fields,
      column_id: column,
      by: ended_by,
      metadata: metadata && toJsonText(metadata),
      output: output === undefined ? undefined : toJsonText(output),
      next_attempt_at: time(next_attempt_at),
      started_at: time(started_at),
      ended_at: time(ended_at),
    }),
    ...(row.outcome === undefined ? endedNow(importing) : {}),
  };
  const written = await engine.store.write({ kind: 'put', item, condition: ABSENT });
  return { created: written.ok, id: null };
}

function endedNow({ engine, by }: Importing) {
  return { outcome: 'released', refunded: true, by: by.id, ended_at: engine.deps.now() };
}

async function importAttachment(importing: Importing, row: AttachmentRow, job: Job): Promise<Imported> {
  const { engine } = importing;
  const id = idUnder(importing, row, job);
  const others = await attachmentRows(engine, job.pk);
  if (others.some((other) => other.id === id)) return { created: false, id };
  if (others.length >= FILES_PER_CARD) {
    throw problem('quota_exceeded', `A card holds at most ${FILES_PER_CARD} attachments. Remove one first.`);
  }
  const { content_type, size, sequence, author, created_at } = row;
  const names = others.map(({ name }) => name);
  const item: AttachmentItem = {
    ...attachmentKey(job.pk, id),
    v: LAYOUT_VERSION,
    board_id: job.board_id,
    id,
    name: freeName(safeName(row.name), names),
    content_type,
    size,
    by: author,
    sequence,
    created_at: Date.parse(created_at),
  };
  const written = await engine.store.write({ kind: 'put', item, condition: ABSENT });
  return { created: written.ok, id };
}

const time = (text: string | undefined): number | undefined =>
  text === undefined ? undefined : Date.parse(text);

function stated(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
