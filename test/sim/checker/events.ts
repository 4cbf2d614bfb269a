/** Events as a follower got them: one per transition, in order per card, without a gap, and always the same. */
import type { Recording } from '../recording.ts';
import { byCard, jobChanges } from './job-log.ts';
import type { Violation } from './violation.ts';

/** Of a deleted card an event keeps its ids and its type, and nothing of what the card said. */
const isBare = (text: string): boolean => text.includes('"data":{"card":null,');

export function checkEvents(recording: Recording): Violation[] {
  const { delivered, endedAt } = recording;
  const violations: Violation[] = [];
  const deleted = new Set(
    recording.items.filter((item) => item['state'] === 'deleted').map((item) => String(item['pk'])),
  );
  const texts = new Map<string, string>();
  const reached = new Map<string, number>();
  for (const { id, text, at, subject, sequence } of delivered) {
    const known = texts.get(id);
    if (known !== undefined && known !== text && !(deleted.has(subject) && isBare(text)))
      violations.push({ rule: 'S14', at, what: `${id} came with another text` });
    if (known === undefined && sequence !== (reached.get(subject) ?? 0) + 1) {
      violations.push({
        rule: 'S14',
        at,
        what: `${subject} ${sequence} came after ${reached.get(subject) ?? 0}`,
      });
    }
    if (known === undefined) reached.set(subject, sequence);
    texts.set(id, text);
  }
  for (const [cardId, changes] of byCard(jobChanges(recording))) {
    const job = changes.at(-1)?.after;
    if (job === undefined || job.staged !== undefined || job.sequence === (reached.get(cardId) ?? 0))
      continue;
    const what = `${cardId} has ${job.sequence} events, and ${reached.get(cardId) ?? 0} came`;
    violations.push({ rule: 'S14', at: endedAt, what });
  }
  return violations;
}
