/** A world with a bucket, and files as its people and workers send and get them. */
import { afterAll } from 'vitest';
import { startS3Endpoint } from '../../../local/s3-endpoint.ts';
import { s3Bucket } from '../../../shared/aws/s3-bucket.ts';
import type { Caller } from '../../../shared/engine.ts';
import { CreateAttachmentBody } from '../../../shared/schemas/attachments.ts';
import { createAttachment } from '../../../shared/verbs/create-attachment.ts';
import { listAttachments } from '../../../shared/verbs/list-attachments.ts';
import type { CreatedAttachmentView } from '../../../shared/attachments/view.ts';
import { createWorld, type World } from '../../support/world.ts';

const region = 'us-east-1';
const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };

export interface FilesWorld {
  readonly world: World;
  /** Attaches; the body is checked as a request's is. */
  readonly attach: (card: Named, body: object, caller?: Caller) => Promise<CreatedAttachmentView>;
  readonly attachText: (card: Named, name: string, text: string) => Promise<CreatedAttachmentView>;
  readonly list: (card: Named) => ReturnType<typeof listAll>;
}

type Named = { readonly id: string };

/** Ended with the test file. The bucket's clock is the world's. */
export async function createFilesWorld(): Promise<FilesWorld> {
  let now = () => 0;
  const files = { directory: null, credentials, region, now: () => now() };
  const endpoint = await startS3Endpoint(files, (what, error) => {
    throw new Error(what, { cause: error });
  });
  afterAll(endpoint.close);
  const world = await createWorld({
    bucketOf: (deps) => s3Bucket({ url: endpoint.bucketUrl, region, credentials, deps }),
  });
  now = () => world.clock.now();
  const attach: FilesWorld['attach'] = async (card, body, caller = world.admin) => {
    const parsed = CreateAttachmentBody.parse(body);
    return (await createAttachment(world.main, caller, { ...parsed, card: card.id }, null)).value;
  };
  return {
    world,
    attach,
    attachText: async (card, name, text) => attach(card, textFile(name, text)),
    list: async (card) => listAll(world, card),
  };
}

async function listAll({ main, admin }: World, card: Named) {
  return (await listAttachments(main, admin, { card: card.id, limit: 100 })).items;
}

/** A small file within the request. */
export const textFile = (name: string, text: string) => ({
  name,
  content_type: 'text/plain',
  content_base64: Buffer.from(text).toString('base64'),
});

/** PUTs a file where it is to be uploaded, with the headers that were given for it. */
export async function upload(
  { upload_url, upload_headers }: Pick<CreatedAttachmentView, 'upload_url' | 'upload_headers'>,
  body: Uint8Array<ArrayBuffer> | string,
): Promise<number> {
  const response = await fetch(upload_url ?? '', { method: 'PUT', headers: upload_headers ?? {}, body });
  await response.body?.cancel();
  return response.status;
}

export async function download(url: string | null): Promise<Response> {
  return fetch(url ?? '');
}
