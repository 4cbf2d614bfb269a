/**
 * The part of Standard Schema v1 (https://standardschema.dev) that typed payloads need, as its specification
 * invites to copy it. Zod, Valibot and ArkType schemas all satisfy it.
 */
export interface StandardSchema<Output = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export type Validation<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

export interface Issue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** One line of all that is wrong: `repo: expected string; issue: expected number`. */
export function describeIssues(issues: readonly Issue[]): string {
  return issues.map((issue) => `${pathOf(issue)}${issue.message}`).join('; ');
}

function pathOf(issue: Issue): string {
  const keys = (issue.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
  return keys.length === 0 ? '' : `${keys.join('.')}: `;
}
