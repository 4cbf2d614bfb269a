/**
 * GitHub issues: what the REST API and `gh issue list --json number,title,body,labels,assignees,state,url,author`
 * answer. An issue's address is its `dedupe_key`, so an issue that is on the board already is not put there twice.
 */
import { withoutMark } from '../text-file.ts';
import { UsageError } from '../usage-error.ts';
import type { CardRow } from './card-row.ts';

/** Limits of a card; an issue may have more. */
const MOST_LABELS = 10;
const LONGEST_LABEL_BYTES = 32;
const LONGEST_TITLE = 500;
/** What is left of a character that the end of a title cuts through. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

export interface GitHubOptions {
  /** Closed ones too. */
  readonly closed: boolean;
  /** A card with an assignee is offered to nobody else, so that must be meant. */
  readonly keepAssignees: boolean;
}

interface Issue {
  readonly title?: unknown;
  readonly body?: unknown;
  readonly state?: unknown;
  readonly number?: unknown;
  readonly html_url?: unknown;
  readonly url?: unknown;
  readonly labels?: unknown;
  readonly assignees?: unknown;
  readonly pull_request?: unknown;
}

export function readGitHubIssues(text: string, options: GitHubOptions): CardRow[] {
  return issuesOf(text).flatMap((issue, at) => {
    const closed = typeof issue.state === 'string' && issue.state.toLowerCase() === 'closed';
    // The REST API lists pull requests among the issues.
    if (issue.pull_request !== undefined || (closed && !options.closed)) return [];
    return [{ line: at + 1, column: null, card: cardOf(issue, at + 1, options) }];
  });
}

function issuesOf(text: string): Issue[] {
  let value: unknown;
  try {
    value = JSON.parse(withoutMark(text));
  } catch (error) {
    throw new UsageError(`The file is no JSON: ${error instanceof Error ? error.message : ''}`);
  }
  if (Array.isArray(value)) return value.map((issue) => Object(issue) as Issue);
  throw new UsageError('The file is no JSON array of issues.');
}

function cardOf(issue: Issue, at: number, { keepAssignees }: GitHubOptions): CardRow['card'] {
  const { title, number } = issue;
  if (typeof title !== 'string' || title.trim() === '') throw new UsageError(`Issue ${at} has no title.`);
  const url = [issue.html_url, issue.url].find((one) => typeof one === 'string');
  const assignee = keepAssignees ? namesOf(issue.assignees, 'login')[0] : undefined;
  return {
    title: title.slice(0, LONGEST_TITLE).replace(HALF_CHARACTER, ''),
    body: typeof issue.body === 'string' ? issue.body : '',
    labels: namesOf(issue.labels, 'name').filter(fits).slice(0, MOST_LABELS),
    properties: { ...(url === undefined ? {} : { url }), ...(number === undefined ? {} : { number }) },
    ...(typeof url === 'string' ? { dedupe_key: url } : {}),
    ...(assignee === undefined ? {} : { assignee }),
  };
}

/** Of a list whose items are texts, or objects with a text under `field`. */
function namesOf(list: unknown, field: string): string[] {
  if (!Array.isArray(list)) return [];
  const names = list.map((item: unknown) =>
    typeof item === 'string' ? item : Reflect.get(Object(item), field),
  );
  return names.filter((name): name is string => typeof name === 'string' && name !== '');
}

function fits(label: string): boolean {
  return Buffer.byteLength(label) <= LONGEST_LABEL_BYTES;
}

const CLOSED_STATES = new Set(['done', 'archived']);

/** @param cards As the API shows them. */
export function writeGitHubIssues(cards: readonly Readonly<Record<string, unknown>>[]): string {
  const issues = cards.map(({ key, title, body, labels, assignee, state }) => ({
    number: Number(String(key).split('-').at(-1)),
    title,
    body,
    state: CLOSED_STATES.has(String(state)) ? 'closed' : 'open',
    labels: (Array.isArray(labels) ? labels : []).map((name: unknown) => ({ name })),
    assignees: typeof assignee === 'string' ? [{ login: assignee }] : [],
  }));
  return `${JSON.stringify(issues, null, 2)}\n`;
}
