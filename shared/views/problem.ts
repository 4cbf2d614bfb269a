/** A refusal as RFC 9457 problem details; the answer to a request adds its `request_id`. */
import { PROBLEMS, type Problem } from '../errors.ts';

const TYPE_BASE = 'https://leaseboard.dev/problems/';

export function problemView(refusal: Problem) {
  const { status, title } = PROBLEMS[refusal.code];
  return {
    type: TYPE_BASE + refusal.code,
    title,
    status,
    detail: refusal.message,
    code: refusal.code,
    ...refusal.extras,
  };
}
