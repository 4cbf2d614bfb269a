import { beforeAll, describe, expect, it } from 'vitest';
import type { Bucket } from '../../shared/attachments/bucket.ts';
import { createHttpWorld, type HttpWorld } from '../http/support/http-world.ts';

/** What happens in the bucket is another file's; here it is a shelf. */
function shelf(): Bucket {
  const files = new Map<string, number>();
  return {
    signUpload: async (key, { content_type, size }) => ({
      url: `https://bucket.example/${key}`,
      headers: { 'content-type': content_type, 'content-length': String(size) },
    }),
    signDownload: async (key) => `https://bucket.example/${key}`,
    put: async (key, bytes) => void files.set(key, bytes.length),
    sizeOf: async (key) => files.get(key) ?? null,
    remove: async (key) => void files.delete(key),
  };
}

let http: HttpWorld;
let attachments: string;

beforeAll(async () => {
  http = await createHttpWorld({ bucketOf: shelf });
  await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Files', slug: 'files' } });
  const { body } = await http.call({
    method: 'POST',
    path: '/v1/boards/files/cards',
    body: { title: 'A card' },
  });
  attachments = `/v1/cards/${String(body['id'])}/attachments`;
});

const post = async (body: object, headers: Record<string, string> = {}) =>
  http.call({ method: 'POST', path: attachments, body, headers });

describe('attachments over HTTP', () => {
  it('are made, listed and removed, each answer as the document has it', async () => {
    const upload = await post({ name: 'a.txt', content_type: 'text/plain', size: 5 });
    expect(upload.status).toBe(201);
    const inline = await post({ name: 'b.txt', content_type: 'text/plain', content_base64: 'aGVsbG8=' });
    expect(inline.body).toMatchObject({ size: 5, uploaded: true, upload_url: null });
    const listed = await http.call({ path: attachments });
    expect(listed.body['items']).toMatchObject([
      { name: 'a.txt', uploaded: false },
      { name: 'b.txt', uploaded: true, download_url: expect.stringContaining('https://') },
    ]);
    const gone = await http.call({ method: 'DELETE', path: `${attachments}/${String(inline.body['id'])}` });
    expect(gone.status).toBe(204);
  });

  it('come in pages', async () => {
    await post({ name: 'c.txt', content_type: 'text/plain', size: 1 });
    const first = await http.call({ path: `${attachments}?limit=1` });
    const cursor = encodeURIComponent(String(first.body['next_cursor']));
    const second = await http.call({ path: `${attachments}?limit=1&cursor=${cursor}` });
    expect([first.body['items'], second.body['items']]).toMatchObject([
      [{ name: 'a.txt' }],
      [{ name: 'c.txt' }],
    ]);
    expect(second.body['next_cursor']).toBeNull();
  });

  it.each([
    [{}, ''],
    [{ name: 'a', content_type: 'text/plain' }, ''],
    [{ name: 'a', content_type: 'text/plain', size: 1, from_url: 'https://example.com' }, ''],
    [{ name: 'a', size: 1 }, '/content_type'],
    [{ content_type: 'text/plain', size: 1 }, '/name'],
    [{ name: 'a', content_type: 'text', size: 1 }, '/content_type'],
    [{ name: 'a', content_type: 'text/plain\r\nx-evil: 1', size: 1 }, '/content_type'],
    [{ name: 'a', content_type: 'text/plain', size: -1 }, '/size'],
    [{ name: 'a', content_type: 'text/plain', size: 26_214_401 }, '/size'],
    [{ name: 'a', content_type: 'text/plain', content_base64: 'a' }, '/content_base64'],
    [{ name: 'a', content_type: 'text/plain', content_base64: 'aGVs bG8=' }, '/content_base64'],
    [{ name: 'a', content_type: 'text/plain', size: 1, public: true }, '/public'],
  ])('that are not as they should be are refused by field: %j', async (body, path) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed', errors: [{ path }] } });
  });

  it('within a request may have 700 KB', async () => {
    const content_base64 = Buffer.alloc(700 * 1_024).toString('base64');
    const answer = await post({ name: 'large.bin', content_type: 'application/zip', content_base64 });
    expect(answer).toMatchObject({ status: 201, body: { size: 716_800 } });
    const more = await post({
      name: 'x',
      content_type: 'application/zip',
      content_base64: `AAAA${content_base64}`,
    });
    expect(more).toMatchObject({ status: 422, body: { errors: [{ path: '/content_base64' }] } });
  });

  it('are not found for the token of another board', async () => {
    const { body } = await http.call({ method: 'POST', path: '/v1/boards', body: { name: 'Other' } });
    const foreign = await http.token('foreign', { scopes: ['member'], board_id: String(body['id']) });
    const said = { name: 'a', content_type: 'text/plain', size: 1 };
    const answers = [
      await http.call({ path: attachments }, foreign),
      await http.call({ method: 'POST', path: attachments, body: said }, foreign),
      await http.call({ method: 'DELETE', path: `${attachments}/att_x` }, foreign),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
