/**
 * Journal: a card that nobody works on keeps what is to be remembered from one run to the next. Every run reads its
 * thread, and appends to it: who came when and found what, in order, and nothing is ever changed or taken away.
 */
import { newCard, newStage, work, type Pattern } from './support.ts';

const RUNS = 3;

export const journal: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Journal');
  const { id } = await newCard(client, stage, 'To do', { title: 'Journal of the crawler' });

  for (let run = 1; run <= RUNS; run += 1) {
    const properties = { journal: id };
    // The same key makes one card of two schedules that fire at once.
    await newCard(client, stage, 'Ready', { title: 'Crawl', properties, dedupe_key: 'crawl' });
    const agent = `crawler-${run}`;
    await work(connect, stage, 'Ready', agent, async ({ card }) => {
      const about = String(card.properties['journal']);
      const { items } = await client.comments.list(about);
      const last = Number(items.at(-1)?.body.match(/\d+/)?.[0] ?? 0);
      await connect(agent).comments.create(about, `Read up to page ${last + 10}`);
    });
  }

  const { items } = await client.comments.list(id);
  say(`The journal says: ${items.map(({ author, body }) => `${author}: ${body}`).join('; ')}`);
  return stage.board;
};
