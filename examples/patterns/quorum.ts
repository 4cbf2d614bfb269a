/**
 * Quorum: several agents judge the same thing without knowing of each other, and a card behind their votes counts
 * them. Each vote is a card of its own, so a voter that crashes is replaced, and no vote counts twice.
 */
import { handOffs, newStage, work, type Pattern } from './support.ts';

const VOTERS = ['judge-1', 'judge-2', 'judge-3'];
/** What the three would say, so that the example ends the same each time. */
const OPINIONS: Readonly<Record<string, boolean>> = { 'judge-1': true, 'judge-2': false, 'judge-3': true };

export const quorum: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Quorum');
  const column_id = stage.column('Ready');
  const { cards } = await client.cards.createGraph(stage.board, {
    cards: [
      // An assigned card is offered to its assignee alone: one vote each.
      ...VOTERS.map((voter) => ({ ref: voter, title: 'Is the change safe?', assignee: voter, column_id })),
      { ref: 'count', title: 'Count the votes', assignee: 'clerk-1', column_id },
    ],
    links: VOTERS.map((voter) => ({ parent: voter, child: 'count' })),
  });

  await Promise.all(
    VOTERS.map(async (voter) =>
      work(connect, stage, 'Ready', voter, ({ handOff }) => {
        handOff({ summary: `${voter} has voted`, metadata: { safe: OPINIONS[voter] } });
      }),
    ),
  );
  await work(connect, stage, 'Ready', 'clerk-1', async ({ card }) => {
    const votes = (await handOffs(client, card.id)) as { safe: boolean }[];
    const inFavour = votes.filter(({ safe }) => safe).length;
    return { in_favour: inFavour, of: votes.length, accepted: inFavour * 2 > votes.length };
  });
  const { output } = await client.cards.get(cards['count'] ?? '');
  say(`The votes are counted: ${JSON.stringify(output)}`);
  return stage.board;
};
