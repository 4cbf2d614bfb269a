/** `leaseboard tail CARD`: what has happened to a card, and then what happens. */
import type { Command } from 'commander';
import { everyItem } from '../../client/index.ts';
import type { Io } from '../io.ts';
import { openSession, type Session } from '../session.ts';
import { eventLine, follow } from './follow.ts';

const WAIT_SECONDS = 20;

export function addTail(program: Command, io: Io): void {
  program
    .command('tail')
    .description('What has happened to a card, and what happens from now on, until Ctrl-C')
    .argument('<card>', 'id, or key such as BUG-12')
    .option('--no-follow', 'end with what has happened')
    .addHelpText('after', '\nExample:\n  leaseboard tail NEWSR-1 --board newsroom')
    .action(async (card: string, options: { follow: boolean }, command: Command) => {
      const session = await openSession(io, command.optsWithGlobals());
      await tail(session, await session.card(card), options.follow);
    });
}

async function tail(session: Session, card: string, goOn: boolean): Promise<void> {
  const { client, io, output } = session;
  const { signal } = io;
  const { board_id: board } = await client.cards.get(card, { signal });
  // Taken first: what happens while the past is shown is then shown by the feed.
  const { events_cursor: since } = await client.boards.get(board, { signal });
  let shown = 0;
  for await (const event of everyItem(async (page) => client.cards.events(card, page, { signal }))) {
    output.line(event, eventLine(event));
    shown = event.sequence;
  }
  if (!goOn) return;
  for await (const event of follow(session, { board, since, types: [], waitSeconds: WAIT_SECONDS })) {
    if (event.card_id === card && event.sequence > shown) output.line(event, eventLine(event));
  }
}
