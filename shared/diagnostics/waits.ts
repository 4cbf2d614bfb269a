/** What stands in the way of a card whose parents or sub-cards, or whose own input, it waits for. */
import type { Engine } from '../engine.ts';
import { openEdges } from '../links/open-parents.ts';
import { CardSchema, JobSchema, type Job } from '../store/items.ts';
import { cardKey, jobKey } from '../store/keys.ts';
import { NO_BODY, patch, post, type Diagnosis } from './codes.ts';

/** Ids that a sentence names; the card itself lists them all. */
const NAMED = 3;

export async function waitsForParents(engine: Engine, job: Job): Promise<Diagnosis> {
  const open = await openOnes(engine, job);
  const [first] = open;
  if (first === undefined) {
    const sentence = 'Its last parent was just done; it is offered within seconds.';
    return { code: 'parents_open', sentence, action: post('promoteCard', job.pk, 'promote') };
  }
  const help = needsHelp(job, open);
  if (help !== null) return help;
  const sentence = `It waits for ${named(open)}: complete ${open.length === 1 ? 'it' : 'them'}, or unlink.`;
  return { code: 'parents_open', sentence, action: post('completeCard', first.id, 'complete') };
}

export async function waitsForSubCards(engine: Engine, job: Job): Promise<Diagnosis> {
  const open = await openOnes(engine, job);
  const [first] = open;
  if (first === undefined) {
    const sentence = 'It is a container without sub-cards: decompose it, or make it a card of its own.';
    return { code: 'container_empty', sentence, action: patch(job.pk, { container: false }) };
  }
  const help = needsHelp(job, open);
  if (help !== null) return help;
  const sentence = `It is judged when its sub-cards are done; open are ${named(open)}.`;
  return { code: 'container_open', sentence, action: post('completeCard', first.id, 'complete') };
}

/** The parent or sub-card that nobody will complete before somebody helps; null when all are on their way. */
function needsHelp(job: Job, open: readonly Parent[]): Diagnosis | null {
  const [{ id, state } = { id: '', state: 'open' }] = open.toSorted((a, b) => RANK[a.state] - RANK[b.state]);
  switch (state) {
    case 'gone': {
      const sentence = `It waits for ${id}, which was deleted unfinished: unlink it.`;
      const path = `/v1/cards/${job.pk}/links?parent_id=${id}`;
      return {
        code: 'parent_gone',
        sentence,
        action: { verb: 'unlinkCards', method: 'DELETE', path, body: NO_BODY },
      };
    }
    case 'dead': {
      const sentence = `It waits for ${id}, which has used up its attempts: bring that back.`;
      return { code: 'parent_dead', sentence, action: post('redriveCard', id, 'redrive') };
    }
    case 'archived': {
      const sentence = `It waits for ${id}, which was put away unfinished: get that back, or unlink it.`;
      return { code: 'parent_archived', sentence, action: post('unarchiveCard', id, 'unarchive') };
    }
    default:
      return null;
  }
}

export async function failsInput(engine: Engine, job: Job): Promise<Diagnosis> {
  const card = CardSchema.safeParse(await engine.store.get(cardKey(job.pk)));
  const [fault] = card.data?.input_errors ?? [];
  const what = fault === undefined ? 'they fail it' : `'${fault.path}' ${fault.message}`;
  const sentence = `Its properties do not fit the input schema of its column: ${what}.`;
  return { code: 'input_invalid', sentence, action: patch(job.pk, null) };
}

interface Parent {
  readonly id: string;
  readonly state: 'open' | 'archived' | 'dead' | 'gone';
}

/** A parent that needs help comes before one that is worked on. */
const RANK: Record<Parent['state'], number> = { gone: 0, dead: 1, archived: 2, open: 3 };

function named(parents: readonly Parent[]): string {
  const shown = parents.slice(0, NAMED).map(({ id }) => id);
  const left = parents.length - shown.length;
  return shown.join(', ') + (left > 0 ? ` and ${left} more` : '');
}

/** The parents, or sub-cards, that are not done. One that cannot be read is a diagnosis of its own. */
async function openOnes(engine: Engine, job: Job): Promise<Parent[]> {
  const edges = await openEdges(engine, job.pk);
  const ids = [...new Set(edges.map(({ parent }) => parent))];
  const items = ids.length === 0 ? [] : await engine.store.batchGet(ids.map(jobKey));
  return ids.map((id, at) => ({ id, state: stateOf(items[at]) }));
}

function stateOf(item: unknown): Parent['state'] {
  if (item === undefined) return 'gone';
  const state = JobSchema.safeParse(item).data?.state;
  if (state === 'deleted') return 'gone';
  return state === 'dead' || state === 'archived' ? state : 'open';
}
