/** Getting cards to work on. Tokens are kept for the verbs that follow. */
import type { ClaimAnswer, ClaimBatchAnswer, ClaimInput } from '../../client/index.ts';
import { EXIT } from '../exit-codes.ts';
import { field } from '../fields.ts';
import { keepLease } from '../kept-leases.ts';
import type { Session } from '../session.ts';
import { reasonOf } from '../text-file.ts';
import type { Verb, VerbCall } from '../verb.ts';

const LEASE = [
  field('lease-ttl-seconds', 'number', "for how long; default and most: the contract's"),
  field('with-context', 'flag', 'with comments and hand-offs'),
];

const FILTERS = [
  field('column', 'column', 'of this queue'),
  field('wait-seconds', 'number', 'let the server wait for a card, 0 to 20'),
  field('tenant', 'text', 'of this tenant only'),
  field('label', 'list', 'with this label', { name: 'labels' }),
  field('skill', 'list', 'this is what the worker can do', { name: 'skills' }),
];

type ColumnClaim = ClaimInput & { readonly column?: string };

export const claimVerbs: readonly Verb[] = [
  {
    name: 'claim',
    operations: ['claimNext', 'claimCard'],
    summary: 'Lease the best card of a queue, or the one that is named',
    args: ['[card]'],
    fields: [
      ...FILTERS,
      ...LEASE,
      field('takeover', 'flag', 'of a named card: take it from its worker'),
      field('reason', 'text', 'of a takeover: what the worker is told'),
    ],
    keyed: true,
    example: '--board newsroom --column Ready --agent drafter-1',
    run: claim,
    exitCode: (answer) => ((answer as ClaimAnswer).card === null ? EXIT.nothingToClaim : EXIT.ok),
  },
  {
    name: 'claim-batch',
    operations: ['claimBatch'],
    summary: 'Lease up to ten cards of a queue',
    fields: [...FILTERS, ...LEASE, field('max', 'number', 'how many, 1 to 10')],
    keyed: true,
    example: '--board newsroom --column Ready --max 5',
    run: claimBatch,
    exitCode: (answer) => ((answer as ClaimBatchAnswer).claims.length === 0 ? EXIT.nothingToClaim : EXIT.ok),
  },
];

async function claim(call: VerbCall): Promise<unknown> {
  const { session, client, args, options } = call;
  const card = args['card'];
  const answer =
    card === undefined ? await claimNext(call) : await client.cards.claim(card, call.input, options);
  return kept(session, answer);
}

async function claimNext({ session, client, board, input, options }: VerbCall): Promise<ClaimAnswer> {
  const { column, ...body }: ColumnClaim = input;
  return client.columns.claimNext(board, await session.column(column), body, options);
}

async function claimBatch({ session, client, board, input, options }: VerbCall): Promise<unknown> {
  const { column, max = 1, ...body }: ColumnClaim & { max?: number } = input;
  const claimed = await session.column(column);
  const answer = await client.columns.claimBatch(board, claimed, { ...body, max }, options);
  return { ...answer, claims: await Promise.all(answer.claims.map(async (one) => kept(session, one))) };
}

/**
 * Programs get the token; people do not need it on their screen, unless it could not be kept: without it the card
 * would be out of everybody's reach until the lease ends.
 */
async function kept(session: Session, answer: ClaimAnswer): Promise<ClaimAnswer> {
  if (answer.card === null) return answer;
  try {
    await keepLease(session.io, answer.lease_id, answer.lease_token);
  } catch (error) {
    session.output.note(
      `The token of the lease could not be kept: ${reasonOf(error)}. Give it by --lease-token.`,
    );
    return answer;
  }
  return session.output.json ? answer : { ...answer, lease_token: '(kept)' };
}
