import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fetchSource } from '../../shared/attachments/fetch-source.ts';
import { FILE_BYTES } from '../../shared/attachments/policy.ts';
import { CreateAttachmentBody } from '../../shared/schemas/attachments.ts';
import { createAttachment } from '../../shared/verbs/create-attachment.ts';
import { refusal } from '../boards/support/board.ts';
import { made, makeDesk } from '../cards/support/cards.ts';
import { createFilesWorld, download } from './support/files.ts';

const { world, attach, list } = await createFilesWorld();
const { main, admin } = world;

let origin: string;
const asked: string[] = [];

const answers: Record<string, RequestListener> = {
  '/report.md': (_, response) => {
    response.writeHead(200, { 'content-type': 'text/markdown; charset=utf-8' });
    response.end('# Fetched');
  },
  '/moved': (_, response) => {
    response.writeHead(302, { location: `${origin}/report.md` });
    response.end();
  },
  '/missing': (_, response) => {
    response.writeHead(404);
    response.end('nothing');
  },
  '/announced-large': (_, response) => {
    response.writeHead(200, { 'content-length': FILE_BYTES + 1 });
    response.flushHeaders();
  },
  '/endless': (_, response) => {
    const part = Buffer.alloc(1_048_576);
    const more = () => {
      while (!response.destroyed && response.write(part));
      response.once('drain', more);
    };
    more();
  },
  '/silent': () => undefined,
};

const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  answers[URL.parse(request.url ?? '', 'http://x')?.pathname ?? '']?.(request, response);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

describe('a file fetched from an address', () => {
  it('is named by its path, typed by its server, and kept in the bucket', async () => {
    const card = await made(world, await makeDesk(world));
    const fetched = await attach(card, { from_url: `${origin}/report.md?token=secret` });
    expect(fetched).toMatchObject({
      name: 'report.md',
      content_type: 'text/markdown; charset=utf-8',
      size: 9,
      uploaded: true,
      upload_url: null,
    });
    const [listed] = await list(card);
    expect(await (await download(listed?.download_url ?? null)).text()).toBe('# Fetched');
  });

  it.each([
    ['/moved', 'redirect'],
    ['/missing', 'status 404'],
    ['/announced-large', 'larger than'],
    ['/endless', 'larger than'],
  ])('is refused from %s, and nothing is attached', async (path, sentence) => {
    const card = await made(world, await makeDesk(world));
    const { code, message } = await refusal(attach(card, { from_url: `${origin}${path}` }));
    expect(code).toBe('validation_failed');
    expect(message).toContain(sentence);
    expect(await list(card)).toEqual([]);
  });

  it('is waited for only so long', async () => {
    const { message } = await refusal(
      fetchSource(`${origin}/silent`, { targets: 'loopback', timeoutMs: 50 }),
    );
    expect(message).toContain('in time');
  });
});

describe('a deployment fetches from public hosts only', () => {
  it.each([
    'http://example.com/plain',
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://0x7f.1/',
    'https://[::ffff:127.0.0.1]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'https://10.0.0.7/',
    'https://localhost/',
    'https://user:password@example.com/',
    'https://example.com:22/',
    'file:///etc/passwd',
  ])('and never from %s', async (url) => {
    const card = await made(world, await makeDesk(world));
    const deployed = { ...main, webhooks: { ...main.webhooks, targets: 'public' as const } };
    const body = CreateAttachmentBody.parse({ from_url: url });
    const call = createAttachment(deployed, admin, { ...body, card: card.id }, null);
    expect(await refusal(call)).toMatchObject({
      code: 'validation_failed',
      extras: { errors: [{ path: '/from_url' }] },
    });
  });

  it('nor from a public name that leads to a private address', async () => {
    const before = asked.length;
    const call = fetchSource(`https://files.example.com:${new URL(origin).port}/report.md`, {
      targets: 'public',
      resolve: (_name, _options, done) => done(null, [{ address: '127.0.0.1', family: 4 }]),
    });
    const { message } = await refusal(call);
    expect(message).toContain('no');
    expect(message).not.toContain('127.0.0.1');
    expect(asked.length).toBe(before);
  });
});
