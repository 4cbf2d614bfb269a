/** A person completes a card that nobody holds: by the same rule as its worker would. */
import { agentName } from '../engine.ts';
import type { Column } from '../columns.ts';
import { problem } from '../errors.ts';
import { mustAllow, note } from '../jobs.ts';
import type { Job } from '../store/items.ts';
import type { CompleteCardBody } from '../schemas/cards.ts';
import { checkOutput, completed, successColumn, workedBy } from '../stages.ts';
import { stageColumn } from './block.ts';
import type { Step } from './change.ts';
import { mustBeFree } from './free.ts';
import { mustHaveNoOpenParents } from './parents.ts';
import { closePersonRun } from './person-run.ts';

/** Done already, nothing changes. A card that a worker holds is that worker's to complete. */
export function completedByHand({ summary, output, metadata }: CompleteCardBody = {}): Step {
  return async (draft) => {
    if (draft.job.state === 'done') return draft;
    mustBeFree(draft.job, draft.now);
    mustAllow('complete_card', draft.job);
    const { engine, caller, by, before, now } = draft;
    await mustHaveNoOpenParents(engine, draft.job);
    const column = await stageColumn(draft);
    mustBeAnother(column, draft.job, agentName(caller));
    checkOutput(column, output ?? null);
    const target = await successColumn(engine, column);
    const {
      draft: free,
      run,
      noted,
    } = closePersonRun(draft, {
      outcome: 'completed',
      verb: 'complete_card',
      ...(summary === undefined ? {} : { summary }),
      ...(output === undefined ? {} : { output }),
      ...(metadata === undefined ? {} : { metadata }),
    });
    const job = workedBy({ ...free.job, done_run: run }, caller, agentName(caller));
    const passed = completed({ engine, job, card: free.card, column, now }, target);
    return {
      ...free,
      ...passed,
      op: free.op === 'reclaim' ? free.op : 'complete_card',
      events: [...free.events, note('card.lease.completed', by, before.job, noted)],
    };
  };
}

/** Four eyes hold for people as for workers: what the contract offers to nobody again, nobody approves either. */
function mustBeAnother(column: Column, job: Job, name: string): void {
  if (!column.contract.exclude_previous_holder || job.prev_agent !== name) return;
  throw problem(
    'conflict',
    `'${name}' did the work before, and '${column.item.name}' is for others to look at it. Have somebody else complete it.`,
  );
}
