/**
 * A worker of the soak, a process of its own that is killed at any moment: claims, works a little, closes, and notes
 * each call before it is made and after it was answered. It speaks HTTP and knows nothing of the engine.
 */
import { appendFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { seededRandom } from '../support/seeded-random.ts';
import { chanceOf } from '../sim/chance.ts';
import type { Call } from '../sim/recording.ts';

const [url = '', token = '', board = '', column = '', history = '', name = ''] = process.argv.slice(2);
const chance = chanceOf(seededRandom(name));
const PATIENCE_MS = 20_000;
const PAUSE_MS = 300;
/** Longer than the lease: who sleeps that long has lost it. */
const TOO_LONG_MS = 7_000;
const WORK_MS = 120;

interface Claimed {
  readonly card: { readonly id: string } | null;
  readonly lease_id: string;
  readonly lease_token: string;
  readonly fence: number;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

/** One call; null when no answer came. */
async function post(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer | null> {
  try {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'x-agent': name,
        ...headers,
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: answer.status, body: await answer.json() };
  } catch {
    return null;
  }
}

const isBusy = ({ status, body }: Answer): boolean =>
  status === 503 || status === 429 || codeOf(body) === 'idempotency_in_progress';
const codeOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'code' in body ? String(body.code) : '';

/** Makes a call again until it is answered for good, and notes what came of it. */
async function asked<T>(
  call: Omit<Call, 'actor' | 'invoked'>,
  send: () => Promise<Answer | null>,
  read: (body: T) => Partial<Call>,
): Promise<T | null> {
  const entry: Call = { actor: name, invoked: Date.now(), ...call };
  note({ ...entry, outcome: 'unknown' });
  for (;;) {
    const answer = await send();
    if (answer === null || isBusy(answer)) {
      await delay(PAUSE_MS * (0.5 + chance.unit()));
      continue;
    }
    const { status, body } = answer;
    const outcome = status < 300 ? 'ok' : status < 500 ? 'refused' : 'failed';
    const told = outcome === 'ok' ? read(body as T) : { code: `${status} ${codeOf(body)}` };
    note({ ...entry, answered: Date.now(), outcome, ...told });
    return outcome === 'ok' ? (body as T) : null;
  }
}

const note = (call: Call): void => appendFileSync(history, `${JSON.stringify(call)}\n`);

async function workOnce(number: number): Promise<void> {
  const key = `${name}-${number}`;
  const claim = await asked<Claimed>(
    { verb: 'claim-next', key, fingerprint: '' },
    () => post(`/v1/boards/${board}/columns/${column}:claim-next`, {}, { 'idempotency-key': key }),
    ({ card, fence, lease_token }) =>
      card === null ? { leases: [] } : { leases: [{ cardId: card.id, run: fence, token: lease_token }] },
  );
  if (claim === null || claim.card === null) {
    await delay(PAUSE_MS);
    return;
  }
  await delay(chance.yes(60) ? TOO_LONG_MS : chance.unit() * WORK_MS);
  await close(claim, claim.card.id);
}

async function close(claim: Claimed, cardId: string): Promise<void> {
  const { lease_token, lease_id, fence } = claim;
  const verb = chance.one(['complete', 'complete', 'complete', 'complete', 'fail', 'release']);
  const body = verb === 'fail' ? { lease_token, reason: 'it did not work' } : { lease_token };
  for (let time = 0; time < (chance.yes(10) ? 2 : 1); time += 1) {
    await asked(
      { verb, cardId, run: fence },
      () => post(`/v1/leases/${lease_id}:${verb}`, body),
      () => ({}),
    );
  }
}

for (let number = 0; ; number += 1) await workOnce(number);
