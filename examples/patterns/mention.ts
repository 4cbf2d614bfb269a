/**
 * Mention: "@name" in a thread becomes a card for that agent. A router follows the feed of the board, which skips
 * nothing; the comment's id as `dedupe_key` makes one card of a mention however often the router starts again.
 */
import type { BoardEvent, LeaseboardClient } from '../../client/index.ts';
import { newCard, newStage, work, type Pattern, type Stage } from './support.ts';

const WAIT_SECONDS = 10;

export const mention: Pattern = async (connect, say) => {
  const client = connect('planner');
  const stage = await newStage(client, 'Mention');
  const { events_cursor: since } = await client.boards.get(stage.board);
  const { id, key } = await newCard(client, stage, 'To do', { title: 'The release' });
  await client.comments.create(id, '@translator-1, please put the notes into French.');

  await routeMentions(client, stage, since);
  await work(connect, stage, 'Ready', 'translator-1', async ({ card }) => {
    await connect('translator-1').comments.create(
      String(card.properties['asked_on']),
      'Voilà : les notes de version.',
    );
  });
  const { items } = await client.comments.list(id);
  say(`On ${key}: ${items.map(({ author }) => author).join(' was answered by ')}`);
  return stage.board;
};

/** Until a first mention has been handed on; a router in life goes on for ever, from the cursor that it has kept. */
async function routeMentions(client: LeaseboardClient, stage: Stage, since: string): Promise<void> {
  let cursor = since;
  for (let routed = 0; routed === 0;) {
    const query = { since: cursor, types: ['card.commented'], wait_seconds: WAIT_SECONDS };
    const page = await client.events.list(stage.board, query);
    for (const event of page.items) routed += await routeEvent(client, stage, event);
    cursor = page.next_cursor;
  }
}

async function routeEvent(client: LeaseboardClient, stage: Stage, event: BoardEvent): Promise<number> {
  const { items } = await client.comments.list(event.card_id ?? '');
  const mentions = items.flatMap(({ id, body, mentions }) => mentions.map((agent) => ({ id, body, agent })));
  for (const { id, body, agent } of mentions) {
    await newCard(client, stage, 'Ready', {
      title: `Answer on ${event.data.card?.key}`,
      body,
      assignee: agent,
      properties: { asked_on: event.card_id },
      dedupe_key: `${id}/${agent}`,
    });
  }
  return mentions.length;
}
