/**
 * Human in the loop: a worker that lacks something only a person knows says so and goes on to other work. The person
 * answers in the thread and unblocks the card; whoever claims it then finds the answer in its context. Waiting costs no
 * attempt and holds no process.
 */
import { newCard, newStage, work, type Pattern } from './support.ts';

export const humanInTheLoop: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Human in the loop');
  const { id } = await newCard(client, stage, 'Ready', { title: 'Book the venue' });

  const agent = connect('planner-1');
  const claim = await agent.columns.claimNext(stage.board, stage.column('Ready'));
  if (claim.card === null) throw new Error(`Nothing to claim: ${claim.reason}`);
  const { lease_id, lease_token } = claim;
  await agent.leases.block(lease_id, { lease_token, kind: 'needs_input', reason: 'For how many people?' });
  const { state, block } = await client.cards.get(id);
  say(`The card is ${state}: ${block?.reason}`);

  // The person; in life minutes or days later, on the board.
  await client.comments.create(id, 'Forty.');
  await client.cards.unblock(id);

  await work(connect, stage, 'Ready', 'planner-2', ({ context }) => {
    const { comments } = context?.sections ?? {};
    const [answer] = comments as { body: string }[];
    return { booked_for: answer?.body };
  });
  const { output } = await client.cards.get(id);
  say(`Another worker went on with the answer: ${JSON.stringify(output)}`);
  return stage.board;
};
