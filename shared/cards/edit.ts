/** Editing a card in place: what people set on it, each change with its event. */
import { findColumn } from '../columns.ts';
import type { EventType } from '../events/types.ts';
import { note } from '../jobs.ts';
import type { Op } from '../lifecycle.ts';
import { withoutHold } from '../model/hold.ts';
import { mergeProperties } from '../properties.ts';
import type { CardPatch } from '../schemas/cards.ts';
import type { Card, EventNote, Job } from '../store/items.ts';
import { difference } from '../store/params.ts';
import type { Draft, Step } from './change.ts';
import { containedIn } from './contain.ts';
import { mustBeFree } from './free.ts';
import { checkedInput, standing } from './stand.ts';

const HOLDS = new Set(['card.held', 'card.unheld']);

interface EditOptions {
  /** The edit is the holder's own, which may assign its card onwards while it holds it. */
  readonly holder?: boolean;
  /** Why, for the event. */
  readonly reason?: string | undefined;
}

export function edited(patch: CardPatch, { holder = false, reason }: EditOptions = {}): Step {
  return async (draft) => {
    const job = withFacts(draft.job, patch);
    const card = withContent(draft.card, patch);
    const body = patch.body === undefined ? draft.body : (patch.body ?? '');
    if (job.assignee !== draft.job.assignee && !holder) mustBeFree(draft.job, draft.now);
    const events = eventsOf(draft, { job, card, body }, reason);
    if (events.length === 0) return draft;
    const own: Op = events.every(({ type }) => HOLDS.has(type)) ? 'hold' : 'edit';
    const op = draft.op === 'edit' ? own : draft.op;
    const next = { ...draft, job, card, body, op, events: [...draft.events, ...events], edited: true };
    const checked = await rechecked(next, patch.properties !== undefined);
    return containedIn(await standing(stopped(checked)));
  };
}

/** A value set, or with null taken away. */
function put<T extends object, K extends keyof T>(target: T, name: K, value: T[K] | null | undefined): void {
  if (value === null) delete target[name];
  else if (value !== undefined) target[name] = value;
}

const times = (text: string | null | undefined) => (typeof text === 'string' ? Date.parse(text) : text);
const unique = (tags: string[] | null | undefined) => (tags?.length ? [...new Set(tags)] : tags && null);
/** Flags are kept as `true` or not at all. */
const flagged = (value: boolean | undefined) => (value === false ? null : value);

/** What verbs decide on, as people set it. */
export function withFacts(before: Job, patch: Omit<CardPatch, 'title' | 'properties'>): Job {
  const job = { ...before };
  put(job, 'priority', patch.priority);
  put(job, 'assignee', patch.assignee);
  if (patch.assignee !== undefined) delete job.reserved_until;
  put(job, 'tenant', patch.tenant);
  put(job, 'labels', unique(patch.labels));
  put(job, 'skills', unique(patch.skills));
  put(job, 'scheduled_at', times(patch.scheduled_at));
  put(job, 'max_attempts', patch.max_attempts);
  put(job, 'max_runtime_ms', patch.max_runtime_seconds && patch.max_runtime_seconds * 1_000);
  put(job, 'draft', flagged(patch.draft));
  put(job, 'hold', flagged(patch.hold));
  put(job, 'container', flagged(patch.container));
  if (job.container !== true) delete job.subs_done;
  return job;
}

/** What people read, as they set it. */
export function withContent(before: Card, patch: CardPatch): Card {
  const card = { ...before };
  put(card, 'title', patch.title);
  if (patch.properties !== undefined) card.properties = mergeProperties(before.properties, patch.properties);
  if (patch.model === null) delete card.model;
  else if (patch.model !== undefined) {
    const { name, provider } = patch.model;
    card.model = { name, ...(typeof provider === 'string' ? { provider } : {}) };
  }
  put(card, 'container_id', patch.container_id);
  put(card, 'workflow_template_id', patch.workflow_template_id);
  put(card, 'current_step_key', patch.current_step_key);
  return card;
}

/** One event for each kind of change that the patch makes; none for what is there already. */
function eventsOf(
  draft: Draft,
  after: { job: Job; card: Card; body: string },
  reason: string | undefined,
): EventNote[] {
  const { job, card, body, before, by } = draft;
  const { priority, assignee, hold, ...rest } = after.job;
  const { priority: _priority, assignee: _assignee, hold: _hold, ...former } = job;
  const differs = (a: object, b: object) => {
    const { set, remove } = difference({ ...a }, { ...b });
    return Object.keys(set).length + remove.length > 0;
  };
  const why = reason === undefined ? {} : { reason };
  const types: (EventType | null)[] = [
    differs(former, rest) || differs(card, after.card) || body !== after.body ? 'card.updated' : null,
    priority === job.priority ? null : 'card.reprioritized',
    assignee === job.assignee ? null : 'card.assigned',
    hold === job.hold ? null : hold === true ? 'card.held' : 'card.unheld',
  ];
  return types.flatMap((type) => (type === null ? [] : [note(type, by, before.job, why)]));
}

async function rechecked(draft: Draft, needed: boolean): Promise<Draft> {
  const column = needed ? await findColumn(draft.engine, draft.job.column_id) : undefined;
  return column === undefined ? draft : { ...draft, ...checkedInput(draft.job, draft.card, column) };
}

/** A card that is put on hold or back to draft is not a late holder's to take back. */
function stopped(draft: Draft): Draft {
  const { job } = draft;
  const stops = job.hold === true || job.draft === true;
  return stops && job.state !== 'leased' ? { ...draft, job: withoutHold(job) } : draft;
}
