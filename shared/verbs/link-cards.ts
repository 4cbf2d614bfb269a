/** Link two cards: the parent blocks the child. */
import { hasScope, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { findRecord, recordWrite, type Repeatable, type Replayable } from '../idempotency.ts';
import { decideUntilWritten, type Decision } from '../jobs.ts';
import { linkChange, type LinkRequest } from '../links/link.ts';
import { settleLinked } from '../links/linked.ts';
import type { LinkCardsBody } from '../schemas/links.ts';

export interface LinkView {
  readonly parent_id: string;
  readonly child_id: string;
}

/**
 * Answers the link; there already, nothing changes. Refused with `conflict`: a link to itself or one that closes a
 * cycle (with the `path`), one across boards, and one onto a card that somebody else holds.
 */
export async function linkCards(
  engine: Engine,
  caller: Caller,
  input: LinkCardsBody & { card: string },
  repeat: Repeatable | null,
): Promise<Replayable<LinkView>> {
  const request = requestOf(input);
  mayLink(caller, input.lease_token);
  const { parent, child } = request;
  const value: LinkView = { parent_id: parent, child_id: child };
  const made = await decideUntilWritten(engine, async (): Promise<Decision<Replayable<LinkView>>> => {
    const record = repeat === null ? undefined : await findRecord(engine, caller, repeat);
    if (record !== undefined) return { answer: { value, created: true, replayed: true } };
    const linked = await linkChange(engine, caller, request);
    if (linked === null) return { answer: { value, created: false, replayed: false } };
    const { board_id } = linked.change.before;
    const noted =
      repeat === null ? [] : [recordWrite(engine, caller, repeat, { board_id, card_id: child, status: 201 })];
    return {
      change: linked.change,
      also: [...linked.also, ...noted],
      result: () => ({ value, created: true, replayed: false }),
    };
  });
  if (made.created && !made.replayed) await settleLinked(engine, child, [parent]);
  return made;
}

function requestOf({
  card,
  parent_id,
  child_id,
  lease_token,
}: LinkCardsBody & { card: string }): LinkRequest {
  return { parent: parent_id ?? card, child: child_id ?? card, own: card, lease_token };
}

function mayLink(caller: Caller, token: string | undefined): void {
  if (token !== undefined || hasScope(caller, 'member')) return;
  throw problem(
    'forbidden',
    "Linking cards needs the scope 'member', or the lease_token of the lease under which you hold the card.",
  );
}
