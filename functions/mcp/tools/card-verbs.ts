/** Tools of those who direct the work: what is done to one card, with no lease of one’s own. */
import { DESTROYS, SETS, type ToolRow } from '../tool.ts';

const CARD = '/v1/cards/{card}';

export const cardVerbTools: readonly ToolRow[] = [
  {
    name: 'move_card',
    route: `POST ${CARD}:move`,
    hints: SETS,
    untrusted: true,
    description:
      'To another column (column_id), or to another place: one of before, after (a card’s id), top, bottom. A held ' +
      'card is taken from its worker only with force: true and a reason.',
  },
  {
    name: 'assign_card',
    route: `POST ${CARD}:assign`,
    hints: SETS,
    untrusted: true,
    description: 'Say which agent is to work on a card: it is offered to that one only. null: to anyone.',
  },
  {
    name: 'hold_card',
    route: `POST ${CARD}:hold`,
    hints: SETS,
    untrusted: true,
    description: 'Offer a card to nobody until unhold_card. A worker that has it keeps it.',
  },
  {
    name: 'unhold_card',
    route: `POST ${CARD}:unhold`,
    hints: SETS,
    untrusted: true,
    description: 'Offer a card again that was on hold.',
  },
  {
    name: 'complete_card',
    route: `POST ${CARD}:complete`,
    hints: SETS,
    untrusted: true,
    description:
      'Call a card done that nobody holds: for people and those who direct the work. A worker completes its own ' +
      'with complete_lease.',
  },
  {
    name: 'block_card',
    route: `POST ${CARD}:block`,
    hints: SETS,
    untrusted: true,
    description: 'Stop a card that nobody holds, with a reason; a worker stops its own with block_lease.',
  },
  {
    name: 'unblock_card',
    route: `POST ${CARD}:unblock`,
    hints: SETS,
    untrusted: true,
    description: 'Let a blocked card go on, in the column where it stopped and with all its attempts.',
  },
  {
    name: 'promote_card',
    route: `POST ${CARD}:promote`,
    hints: SETS,
    untrusted: true,
    description:
      'Have a card offered at once that waits out a pause after a failure. What somebody decided (draft, hold, a time, parents) stays.',
  },
  {
    name: 'reopen_review',
    route: `POST ${CARD}:reopen-review`,
    hints: SETS,
    untrusted: true,
    description: 'Send a card that stands in review back to whoever did the work, with a reason.',
  },
  {
    name: 'request_cancel',
    route: `POST ${CARD}:request-cancel`,
    hints: SETS,
    untrusted: true,
    description:
      'Ask the worker of a card to stop; it hears of it, and of the reason, at its next heartbeat. The polite way: ' +
      'reclaim_card does not ask.',
  },
  {
    name: 'reclaim_card',
    route: `POST ${CARD}:reclaim`,
    hints: DESTROYS,
    untrusted: true,
    description:
      'Take a card from its worker and put it back into its queue. What the worker does from then on is refused.',
  },
  {
    name: 'redrive_card',
    route: `POST ${CARD}:redrive`,
    hints: SETS,
    untrusted: true,
    description: 'Bring a dead card back to the queue where it died, with all its attempts.',
  },
  {
    name: 'reopen_card',
    route: `POST ${CARD}:reopen`,
    hints: SETS,
    untrusted: true,
    description: 'Take a card up again that is done: back to the column it was done in, or to column_id.',
  },
  {
    name: 'archive_card',
    route: `POST ${CARD}:archive`,
    hints: SETS,
    untrusted: true,
    description: 'Put a card away. A held one only with force: true and a reason. unarchive_card undoes it.',
  },
  {
    name: 'unarchive_card',
    route: `POST ${CARD}:unarchive`,
    hints: SETS,
    untrusted: true,
    description: 'Get an archived card back.',
  },
];
