/**
 * One attempt: the request to a receiver and what came back. No redirect is followed, no connection is reused, and
 * what is connected to is checked at that moment, whatever the address was when the webhook was made.
 */
import { request as httpRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { guardedLookup, TargetRefused, type Resolve } from './guarded-lookup.ts';
import { EXCERPT_BYTES, EXCERPT_TIMEOUT_MS, SEND_TIMEOUT_MS } from './policy.ts';
import type { Targets } from './public-address.ts';
import { targetFault } from './target.ts';

/** What a receiver answered, as far as it matters. */
export interface Answer {
  readonly status: number;
  readonly excerpt: string;
  readonly retryAfter: string | undefined;
  /** The header `webhook-delivery`: what the receiver asks of the sender. */
  readonly command: string | undefined;
}

export type PostResult =
  | { readonly answer: Answer }
  /** `timeout`: the receiver took the time and gave nothing; `failed`: it could not be reached, or may not be. */
  | { readonly problem: 'timeout' | 'failed'; readonly error: string };

export type Post = (
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
) => Promise<PostResult>;

export interface PosterOptions {
  readonly targets: Targets;
  readonly resolve?: Resolve;
  readonly timeoutMs?: number;
}

/** A sender that keeps to the targets that it may reach. Its promise never rejects. */
export function createPost(options: PosterOptions): Post {
  const lookup = guardedLookup(options.targets, options.resolve);
  return async (url, headers, body) => {
    const fault = targetFault(url, options.targets);
    if (fault !== null) return { problem: 'failed', error: `The address ${fault}` };
    try {
      return {
        answer: await exchange(new URL(url), headers, body, lookup, options.timeoutMs ?? SEND_TIMEOUT_MS),
      };
    } catch (error) {
      return problemOf(error);
    }
  };
}

async function exchange(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  lookup: ReturnType<typeof guardedLookup>,
  timeoutMs: number,
): Promise<Answer> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const options: RequestOptions = {
    method: 'POST',
    headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    lookup,
    signal,
    agent: false,
  };
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)(url, options, resolve);
  request.on('error', reject);
  // An answer of 101 comes as this and as nothing else; nobody asked for another protocol.
  request.on('upgrade', (response, socket) => {
    socket.destroy();
    response.destroy();
    resolve(response);
  });
  // Whatever else may end it without a word must not leave the sender waiting.
  request.on('close', () => reject(new Error('closed')));
  request.end(body);
  try {
    const response = await promise;
    return {
      status: response.statusCode ?? 0,
      retryAfter: response.headers['retry-after'],
      command: headerText(response.headers['webhook-delivery']),
      excerpt: await excerptOf(response),
    };
  } finally {
    // Whatever is still to come of the body is not wanted.
    request.destroy();
  }
}

const headerText = (value: string | string[] | undefined): string | undefined => [value].flat()[0]?.trim();

/** The start of the body; what came in time, when it does not end. */
async function excerptOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => response.destroy(), EXCERPT_TIMEOUT_MS);
  try {
    let bytes = 0;
    for await (const chunk of response) {
      chunks.push(Buffer.from(chunk));
      bytes += chunks.at(-1)?.length ?? 0;
      if (bytes >= EXCERPT_BYTES) break;
    }
  } catch {
    // Cut off: the status has been given, and that is what counts.
  } finally {
    clearTimeout(timer);
  }
  return Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString('utf8');
}

function problemOf(error: unknown): PostResult {
  if (error instanceof TargetRefused) return { problem: 'failed', error: error.message };
  if (!(error instanceof Error)) return { problem: 'failed', error: 'The request failed' };
  if (['AbortError', 'TimeoutError'].includes(error.name))
    return { problem: 'timeout', error: 'No answer in time' };
  const code = 'code' in error ? String(error.code) : error.name;
  return { problem: 'failed', error: `The request failed: ${code}` };
}
