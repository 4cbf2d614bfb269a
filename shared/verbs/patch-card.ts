/** Patch: change what people set on a card. */
import { changeCard, type Step } from '../cards/change.ts';
import { edited } from '../cards/edit.ts';
import { asHolder } from '../cards/holder.ts';
import { hasScope, type Caller, type Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import type { PatchCardBody } from '../schemas/cards.ts';
import type { CardView } from '../views/card.ts';

/**
 * Answers the card. `properties` are merged key by key; null clears a field. With `if_match` (the `rev` that was
 * read) a card that was edited since is left alone: `stale_revision`. A held card stays held, and its worker hears
 * of the edit at its next heartbeat. With a `lease_token` a worker may change its own card, and renews its lease.
 */
export async function patchCard(
  engine: Engine,
  caller: Caller,
  input: PatchCardBody & { card: string; if_match?: number | undefined },
): Promise<CardView> {
  const { card, if_match, lease_token, ...fields } = input;
  if (lease_token === undefined && !hasScope(caller, 'member')) {
    throw problem(
      'forbidden',
      "Changing a card needs the scope 'member', or the lease_token of the lease under which you hold it.",
    );
  }
  const steps = [
    unchangedSince(if_match),
    ...(lease_token === undefined ? [] : [asHolder(lease_token)]),
    edited(fields, { holder: lease_token !== undefined }),
  ];
  return changeCard(engine, caller, card, steps, { endsExpired: false });
}

function unchangedSince(rev: number | undefined): Step {
  return (draft) => {
    const now = draft.before.job.rev;
    if (rev === undefined || rev === now) return draft;
    throw problem(
      'stale_revision',
      `The card is at revision ${now}, you have read ${rev}. Read it again and apply your change to what it is now.`,
    );
  };
}
