/**
 * How far the stream has been handled, shard by shard, in a file: after kill -9 reading goes on behind the last
 * batch that was finished, and that one alone may come twice.
 */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Checkpoint {
  /** Number of the last record handled; null to read the shard from its oldest. */
  readonly after: (shardId: string) => string | null;
  readonly record: (shardId: string, sequenceNumber: string) => Promise<void>;
}

type Places = Record<string, string>;

/**
 * @param file null keeps it in memory.
 * @param streamArn What the file says of another stream, of a table that is gone, is not used.
 */
export async function openCheckpoint(file: string | null, streamArn: string): Promise<Checkpoint> {
  const places = file === null ? {} : await readPlaces(file, streamArn);
  return {
    after: (shardId) => places[shardId] ?? null,
    record: async (shardId, sequenceNumber) => {
      places[shardId] = sequenceNumber;
      if (file !== null) await replaceFile(file, JSON.stringify({ streamArn, places }));
    },
  };
}

/** What cannot be read is no loss: handling a record again changes nothing. */
async function readPlaces(file: string, streamArn: string): Promise<Places> {
  try {
    const kept: unknown = JSON.parse(await readFile(file, 'utf8'));
    return isKept(kept) && kept.streamArn === streamArn ? { ...kept.places } : {};
  } catch {
    return {};
  }
}

function isKept(kept: unknown): kept is { streamArn: string; places: Places } {
  return (
    typeof kept === 'object' &&
    kept !== null &&
    'streamArn' in kept &&
    'places' in kept &&
    typeof kept.places === 'object' &&
    kept.places !== null
  );
}

/** Whole or not at all: a file half written at the moment of a kill would be no checkpoint. */
async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.new`;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(draft, text, { mode: 0o600 });
  await rename(draft, file);
}
