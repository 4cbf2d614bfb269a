/** Tools of the worker's loop: claim, heartbeat, complete or fail. */
import { ADDS, READS, SETS, type ToolRow } from '../tool.ts';

const COLUMN = '/v1/boards/{board}/columns/{column}';
const LEASE = '/v1/leases/{lease}';

export const workerTools: readonly ToolRow[] = [
  {
    name: 'claim_next_card',
    route: `POST ${COLUMN}:claim-next`,
    hints: ADDS,
    repeatKey: 'claim_key',
    untrusted: true,
    description:
      'Take the best card that a queue column has to offer, under a lease that nobody else can have at the same ' +
      'time. Answers the whole card with lease_id, lease_token, expires_at and renew_after_seconds. Nothing to do ' +
      'is no error: {"card": null} with the reason and retry_after_seconds, after which to ask again. Give a fresh ' +
      'claim_key with each claim; when no answer comes, repeat the call with the same claim_key and arguments, and ' +
      'you get the same lease, with resumed: true, instead of a second card. Next: do the work, renew_lease on the ' +
      'way, then complete_lease, fail_lease or release_lease.',
  },
  {
    name: 'renew_lease',
    route: `POST ${LEASE}:renew`,
    hints: SETS,
    untrusted: true,
    description:
      'The heartbeat: keeps the card yours while you work. Call it every renew_after_seconds, or the card is given ' +
      'to another after expires_at. Optional: progress (0-100) and note for those who watch, checkpoint for whoever ' +
      'takes over should you stop. Heed the signals in its answer: cancel_requested (stop and release_lease), ' +
      'wrap_up (finish now), comments_since and card_rev (the card has changed: get_card).',
  },
  {
    name: 'complete_lease',
    route: `POST ${LEASE}:complete`,
    hints: SETS,
    untrusted: true,
    description:
      'The work is done: stores output and summary, moves the card on and ends the lease, all at once. summary is ' +
      'the hand-off that people and the next worker read. With an output schema on the column, output has to fit ' +
      'it; when refused with output_invalid the lease is still yours: correct output and call again.',
  },
  {
    name: 'fail_lease',
    route: `POST ${LEASE}:fail`,
    hints: SETS,
    untrusted: true,
    description:
      'This attempt did not work. The card comes back after a pause, or is dead-lettered once its attempts are used ' +
      'up. reason says what went wrong, for whoever tries next. retryable: false when trying again can never help; ' +
      'kind: "rate_limited" with retry_after_seconds costs no attempt.',
  },
  {
    name: 'release_lease',
    route: `POST ${LEASE}:release`,
    hints: SETS,
    untrusted: true,
    description: 'Give the card back unfinished, at once and at no attempt: when you are told to stop.',
  },
  {
    name: 'block_lease',
    route: `POST ${LEASE}:block`,
    hints: SETS,
    untrusted: true,
    description:
      'You cannot go on, and failing would not help: stops the card with a reason, at no attempt. kind says why: ' +
      'needs_input (a person has to answer), capability (you lack a tool or a right), transient, or dependency ' +
      '(another card first: link_cards before). Ends the lease.',
  },
  {
    name: 'request_review',
    route: `POST ${LEASE}:request-review`,
    hints: SETS,
    untrusted: true,
    description:
      'The work is done and someone should look at it: hands the card on to the review column, with your summary. ' +
      'Ends the lease.',
  },
  {
    name: 'request_changes',
    route: `POST ${LEASE}:request-changes`,
    hints: SETS,
    untrusted: true,
    description:
      'As a reviewer who holds the card: send it back to whoever did the work, with the reason. To accept it, ' +
      'complete_lease. Ends the lease.',
  },
  {
    name: 'get_lease',
    route: `GET ${LEASE}`,
    hints: READS,
    untrusted: true,
    description: 'One lease: active, expired or ended and how, by whom, until when.',
  },
  {
    name: 'list_leases',
    route: 'GET /v1/boards/{board}/leases',
    hints: READS,
    untrusted: true,
    description:
      'Who works on what right now. state: "expired" shows cards whose worker has gone quiet and that nobody has ' +
      'taken since.',
  },
  {
    name: 'get_frontier',
    route: 'GET /v1/boards/{board}/frontier',
    hints: READS,
    untrusted: true,
    description:
      'What may be taken right now, on the whole board or in one column: the cards, how many, and when there are none ' +
      'the reason. To look without claiming, or to choose a card for claim_card.',
  },
  {
    name: 'claim_card',
    route: 'POST /v1/cards/{card}:claim',
    hints: ADDS,
    repeatKey: 'claim_key',
    untrusted: true,
    description:
      'Take this card and no other, as claim_next_card does. Held by another it is refused with lease_held, which ' +
      'names the holder; takeover: true with a reason ends the lease of a worker that is known to be gone.',
  },
];
