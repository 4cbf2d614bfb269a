/** Whether a card is, or will by itself be, offered to some worker of its queue. */
import type { Item } from '../../shared/store/params.ts';
import type { Places } from './world.ts';

/** Those who may be assigned: who else is, no worker of a run can take. */
const isWorker = (name: unknown): boolean => typeof name === 'string' && name.startsWith('worker-');

export function isOffered(item: Item, places: Pick<Places, 'ready' | 'review'>): boolean {
  if (item['sk'] !== 'JOB') return false;
  // Until its graph is committed it does not exist.
  if (item['staged'] !== undefined) return false;
  if (item['column_id'] !== places.ready && item['column_id'] !== places.review) return false;
  if (item['assignee'] !== undefined && !isWorker(item['assignee'])) return false;
  // In a column of four eyes it is nobody's: its assignee worked on it in the stage before.
  if (item['assignee'] !== undefined && item['assignee'] === item['prev_agent']) return false;
  if (item['state'] === 'ready' || item['state'] === 'leased') return true;
  const waits = item['waiting_on'];
  return item['state'] === 'waiting' && (waits === 'schedule' || waits === 'backoff');
}
