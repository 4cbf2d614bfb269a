/** Artifacts that a completion declares: files of the card, there in full, or the hand-off would lead nowhere. */
import type { Engine } from '../engine.ts';
import { problem } from '../errors.ts';
import { attachmentRows, lookedUp } from './rows.ts';

/** @throws Problem `artifact_missing` naming each name that no uploaded attachment has. Names are as listed. */
export async function mustHaveArtifacts(
  engine: Engine,
  cardId: string,
  names: readonly string[],
): Promise<void> {
  if (names.length === 0) return;
  const rows = await attachmentRows(engine, cardId);
  const known = new Map((await lookedUp(engine, rows.filter(named(names)))).map((row) => [row.name, row]));
  const errors = names.flatMap((name, at) => {
    const row = known.get(name);
    if (row?.uploaded === true) return [];
    const path = `/artifacts/${at}`;
    const message =
      row === undefined
        ? `The card has no attachment '${name}': attach it, under the name that the answer gives.`
        : `The file of '${name}' has not been uploaded: PUT its ${row.size} bytes to its upload_url.`;
    return [{ path, message }];
  });
  const [first] = errors;
  if (first === undefined) return;
  throw problem('artifact_missing', `${first.message} The lease stays.`, { errors });
}

const named =
  (names: readonly string[]) =>
  ({ name }: { readonly name: string }): boolean =>
    names.includes(name);
