/** The receivers that the documentation shows, run as they stand there. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { freePort } from '../../local/free-port.ts';
import { waitUntil } from '../../local/wait-until.ts';
import { shownSecret } from '../../shared/webhooks/secret.ts';
import { signatureHeaders } from '../../shared/webhooks/signature.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
const START_LIMIT_MS = 30_000;

async function receiverIn(document: string): Promise<string> {
  const text = await readFile(join(ROOT, document), 'utf8');
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = '']) => block);
  const receiver = blocks.find((block) => block.includes('verifyWebhook'));
  if (receiver === undefined) throw new Error(`${document} shows no receiver`);
  return receiver;
}

/** Starts it on a port of its own and answers its address. */
async function start(code: string, secret: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'leaseboard-receiver-'));
  onTestFinished(async () => rm(folder, { recursive: true, force: true }));
  const port = await freePort();
  const here = code
    .replace(/from '[^']*client[^']*'/, `from '${ROOT}client/index.ts'`)
    .replace(/\.listen\(\d+(, '127\.0\.0\.1')?\)/, `.listen(${port}, '127.0.0.1')`);
  const file = join(folder, 'receiver.ts');
  await writeFile(file, here);
  const env = { ...process.env, WEBHOOK_SECRET: secret };
  const child = spawn(process.execPath, [file], { env, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = `http://127.0.0.1:${port}/`;
  await waitUntil('the receiver', START_LIMIT_MS, async () => (await fetch(url).catch(() => null)) !== null);
  return url;
}

test.each(['README.md', 'docs/webhooks.md'])('the receiver in %s has ten lines', async (document) => {
  expect((await receiverIn(document)).trim().split('\n').length).toBeLessThanOrEqual(10);
});

test.each(['README.md', 'docs/webhooks.md'])(
  'the receiver in %s takes what is signed, and nothing else',
  async (document) => {
    const secret = randomBytes(32);
    const url = await start(await receiverIn(document), shownSecret(secret));
    const body = JSON.stringify({ id: 'evt_1', type: 'card.created' });
    const headers = { ...signatureHeaders('evt_1', Date.now(), body, [secret]) };
    const post = async (text: string) => (await fetch(url, { method: 'POST', headers, body: text })).status;
    expect(await post(body)).toBe(204);
    expect(await post(`${body} `)).toBe(401);
    expect(await post(body)).toBe(204);
  },
);
