/** `leaseboard watch`: what happens on a board. */
import type { Command } from 'commander';
import type { BoardEvent } from '../../client/index.ts';
import type { Io } from '../io.ts';
import { collected, wholeNumber } from '../option-values.ts';
import { openSession } from '../session.ts';
import { eventLine, follow } from './follow.ts';

const WAIT_SECONDS = 20;

interface WatchOptions {
  readonly assignee?: string;
  readonly tenant?: string;
  readonly type: readonly string[];
  readonly since?: string;
  readonly interval: number;
}

export function addWatch(program: Command, io: Io): void {
  program
    .command('watch')
    .description('What happens on a board from now on, until Ctrl-C')
    .option('--assignee <name>', 'cards of this agent or person')
    .option('--tenant <name>', 'cards of this tenant')
    .option('--type <type>', 'only this type of events (may be given several times)', collected, [])
    .option('--since <cursor>', 'go on where an earlier watch, or `event list`, ended')
    .option(
      '--interval <seconds>',
      'how long one call waits for an event, 0 to 20',
      wholeNumber,
      WAIT_SECONDS,
    )
    .addHelpText(
      'after',
      '\nExample:\n  leaseboard watch --board newsroom --type card.lease.deadlettered --json',
    )
    .action(async (options: WatchOptions, command: Command) => {
      const session = await openSession(io, command.optsWithGlobals());
      const { board, client } = session;
      const since = options.since ?? (await client.boards.get(board, { signal: io.signal })).events_cursor;
      session.output.note(`Watching ${board}. Ctrl-C ends it.`);
      const where = { board, since, types: options.type, waitSeconds: options.interval };
      for await (const event of follow(session, where)) {
        if (isAbout(event, options)) session.output.line(event, eventLine(event));
      }
    });
}

function isAbout({ data: { card } }: BoardEvent, { assignee, tenant }: WatchOptions): boolean {
  return (
    (assignee === undefined || card?.assignee === assignee) &&
    (tenant === undefined || card?.tenant === tenant)
  );
}
