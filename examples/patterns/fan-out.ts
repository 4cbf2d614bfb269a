/**
 * Fan-out: one question in parts that may be answered at the same time, and a card behind all of them that puts the
 * answers together. Nobody waits or polls: the last part makes the merge ready. Decide on the parts before you fan out;
 * whoever splits the work does none of it.
 */
import type { Handler } from '../../client/index.ts';
import { handOffs, newStage, work, type Pattern } from './support.ts';

const SOURCES = ['papers', 'forums', 'archives'];

export const fanOut: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Fan-out');
  const column_id = stage.column('Ready');
  const { cards } = await client.cards.createGraph(stage.board, {
    cards: [
      ...SOURCES.map((source) => ({ ref: source, title: `Search the ${source}`, column_id })),
      { ref: 'merge', title: 'Write one answer', column_id },
    ],
    links: SOURCES.map((source) => ({ parent: source, child: 'merge' })),
  });
  const merge = cards['merge'] ?? '';

  const answer: Handler = async ({ card, handOff }) => {
    if (card.id !== merge) return handOff({ summary: `${card.title}: 2 finds`, metadata: { finds: 2 } });
    const parts = (await handOffs(client, card.id)) as { finds: number }[];
    return { finds: parts.reduce((sum, { finds }) => sum + finds, 0) };
  };
  const agents = ['searcher-1', 'searcher-2', 'searcher-3'];
  await Promise.all(agents.map(async (agent) => work(connect, stage, 'Ready', agent, answer)));
  // Whoever searched last may have gone before the merge was ready.
  await work(connect, stage, 'Ready', 'merger-1', answer);
  const { output } = await client.cards.get(merge);
  say(`${SOURCES.length} searches became one answer: ${JSON.stringify(output)}`);
  return stage.board;
};
