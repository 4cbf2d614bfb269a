/** What a page of the feed says of an event: enough to find it, to filter by type, and to tell of one that is gone. */
import { eventId, isId } from '../ids.ts';
import { eventKey, type Key } from '../store/keys.ts';

export interface FeedEntry {
  /** Id of the card or the board in whose sequence it counts. */
  readonly subject: string;
  readonly sequence: number;
  readonly type: string;
}

export function makeFeedEntry({ subject, sequence, type }: FeedEntry): string {
  return [subject, sequence, type].join(' ');
}

export function parseFeedEntry(text: string): FeedEntry {
  const [subject = '', sequence = '', type = ''] = text.split(' ');
  return { subject, sequence: Number(sequence), type };
}

export const entryEventId = ({ subject, sequence }: FeedEntry): string => eventId(subject, sequence);
export const entryKey = ({ subject, sequence }: FeedEntry): Key => eventKey(subject, sequence);
export const entryCardId = ({ subject }: FeedEntry): string | null => (isId('crd', subject) ? subject : null);
