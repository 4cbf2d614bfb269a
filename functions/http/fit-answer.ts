/**
 * The bound on what a function may answer. Lambda takes JSON of at most 6 MB, in which the body is a string: each of its
 * quotes and backslashes counts twice, which base64 does not do.
 */
import { problem } from '../../shared/errors.ts';
import { bytesOf, jsonBytes } from '../../shared/text.ts';
import type { Trace } from './request-handler.ts';
import { problemAnswer, type HttpAnswer } from './write-answer.ts';

/** Source: Lambda's quotas, "invocation payload", synchronous. */
export const FUNCTION_ANSWER_BYTES = 6_291_456;
/** Status and headers around the body. */
const AROUND_BYTES = 8_192;
const ROOM = FUNCTION_ANSWER_BYTES - AROUND_BYTES;

/** The answer in a form that Lambda takes; when there is none, a refusal that says so, and what to ask for instead. */
export function fitAnswer(answer: HttpAnswer, trace: Pick<Trace, 'requestId' | 'error'>): HttpAnswer {
  const { body } = answer;
  if (body === undefined || bytesOf(body) * 2 <= ROOM || jsonBytes(body) <= ROOM) return answer;
  if (Math.ceil(bytesOf(body) / 3) * 4 <= ROOM) {
    return { ...answer, body: Buffer.from(body).toString('base64'), isBase64Encoded: true };
  }
  const refusal = problem(
    'payload_too_large',
    `The answer would have ${bytesOf(body)} bytes, more than one may have. What was to be changed is changed; ask for ` +
      'less at once: a smaller limit, fewer rows, no context.',
  );
  trace.error ??= refusal;
  return problemAnswer(refusal, trace.requestId);
}
