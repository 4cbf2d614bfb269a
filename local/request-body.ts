import type { IncomingMessage } from 'node:http';

/**
 * The whole body; null when it is over `limitBytes`. What is over is read and thrown away: a connection that is
 * closed with unread data may be reset before the client has seen the answer.
 */
export async function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) throw new TypeError('A request is read as bytes, without an encoding.');
    bytes += chunk.length;
    if (bytes > limitBytes) chunks.length = 0;
    else chunks.push(chunk);
  }
  return bytes > limitBytes ? null : Buffer.concat(chunks);
}
