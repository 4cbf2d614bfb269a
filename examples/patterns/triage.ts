/**
 * Triage: people throw in a line, a specifier makes a card of it that a worker can do without asking, or sends it back.
 * The contract of the work queue says what a worker needs; a card without it is offered to nobody.
 */
import { newCard, newStage, setQueue, work, type Pattern } from './support.ts';

const NEEDS = { type: 'object', required: ['repo', 'done_when'], properties: { repo: { type: 'string' } } };

export const triage: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Triage');
  await setQueue(client, stage, 'Ready', { input_schema: NEEDS });
  await setQueue(client, stage, 'Triage', { on_success_column_id: stage.column('Ready') });
  const vague = await newCard(client, stage, 'Ready', { title: 'login broken??' });
  say(`In the work queue a vague card waits on ${vague.waiting_on}, and is offered to nobody`);
  await client.cards.move(vague.id, { column_id: stage.column('Triage') });

  await work(connect, stage, 'Triage', 'specifier-1', async ({ card, lease, handOff }) => {
    const body = '## What happens\nThe login page answers 500.\n\n## What should\nOne is in.';
    await client.cards.update(card.id, { title: 'Login answers 500', body }, { leaseToken: lease.token });
    handOff({ properties: { repo: 'shop', done_when: 'the login test is green' } });
  });
  await work(connect, stage, 'Ready', 'fixer-1', ({ card }) => ({ fixed_in: card.properties['repo'] }));

  const { title, output } = await client.cards.get(vague.id);
  say(`"${vague.title}" became "${title}": ${JSON.stringify(output)}`);
  return stage.board;
};
