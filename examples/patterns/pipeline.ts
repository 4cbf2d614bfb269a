/**
 * Pipeline: a card goes from queue to queue by itself, since each column's contract names the next one. A stage knows
 * nothing of the others; each has its own agents, lease, attempts and limits.
 */
import { newCard, newStage, setQueue, work, type Pattern } from './support.ts';

export const pipeline: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Pipeline');
  await setQueue(client, stage, 'To do', { on_success_column_id: stage.column('Ready') });
  await setQueue(client, stage, 'Ready', { on_success_column_id: stage.column('Review') });
  await setQueue(client, stage, 'Review', { on_success_column_id: stage.column('Done') });
  const { id } = await newCard(client, stage, 'To do', { title: 'Retry after a timeout' });

  await work(connect, stage, 'To do', 'researcher-1', ({ handOff }) => {
    handOff({ properties: { sources: ['the manual', 'an incident'] } });
  });
  await work(connect, stage, 'Ready', 'writer-1', ({ card, handOff }) => {
    const sources = card.properties['sources'] as string[];
    handOff({ properties: { draft: `Drawn from ${sources.join(' and ')}.` } });
  });
  await work(connect, stage, 'Review', 'editor-1', ({ card }) => ({ published: card.properties['draft'] }));

  const { items } = await client.cards.runs(id);
  say(`One card, three stages: ${items.map(({ agent }) => agent).join(', ')}`);
  return stage.board;
};
