/** Turns a response into a value or a typed error. */
import { LeaseboardError } from './errors.ts';
import { isProblem, type Problem } from './problem.ts';

/** Decoded body of a success; throws LeaseboardError for everything else. */
export async function readAnswer<Answer>(response: Response, kind: 'json' | 'text'): Promise<Answer> {
  const text = await response.text();
  if (!response.ok) throw refusal(response, text);
  if (kind === 'text') return text as Answer;
  return decode(response, text) as Answer;
}

function decode(response: Response, text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    // A proxy's page with status 200, or a body cut short: not what was asked for.
    throw new LeaseboardError({
      code: 'unexpected_answer',
      status: response.status,
      message: `${response.url} answered ${response.status} with a body that is no JSON`,
      cause,
    });
  }
}

function refusal(response: Response, text: string): LeaseboardError {
  const problem = problemIn(text);
  return new LeaseboardError({
    code: problem?.code ?? codeOfStatus(response.status),
    status: response.status,
    message: problem === undefined ? bareSentence(response) : sentence(problem),
    problem,
    retryAfterSeconds: retryAfter(response.headers.get('retry-after')),
  });
}

function bareSentence({ status, headers }: Response): string {
  const elsewhere = headers.get('location');
  if (elsewhere === null) return `The server answered ${status}`;
  return `The server answered ${status}: it is to be found at ${elsewhere}, so give that address`;
}

function problemIn(text: string): Problem | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return isProblem(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

function sentence(problem: Problem): string {
  const faults = (problem.errors ?? []).map((fault) => `${fault.path || '/'}: ${fault.message}`);
  return problem.detail ?? [problem.title, ...faults].join('; ');
}

/** A gateway's own refusals carry no code; these statuses mean the same whoever says them. */
function codeOfStatus(status: number): LeaseboardError['code'] {
  if (status === 401) return 'unauthenticated';
  if (status === 403) return 'forbidden';
  if (status === 413) return 'payload_too_large';
  if (status === 429) return 'rate_limited';
  return 'unexpected_answer';
}

/** Seconds of a Retry-After header; its date form, which this API never sends, is ignored. */
function retryAfter(header: string | null): number | undefined {
  if (header === null) return undefined;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}
