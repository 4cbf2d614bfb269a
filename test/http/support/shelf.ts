/** A bucket in memory: files are put on a shelf, and addresses lead nowhere. */
import type { Bucket } from '../../../shared/attachments/bucket.ts';

export function shelf(): Bucket {
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
