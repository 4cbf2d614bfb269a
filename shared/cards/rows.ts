/** Work on the rows of a batch: each by itself, a few at a time, a refusal being that row's answer. */
import { isProblem, type Problem } from '../errors.ts';
import { BATCH_WIDTH } from '../policy.ts';
import { problemView } from '../views/problem.ts';

export type Refused = { readonly status: number; readonly error: ReturnType<typeof problemView> };

/** Answers in the order of the rows. What is no refusal (a defect, a lost table) fails the whole request. */
export async function eachRow<Row, Answer>(
  rows: readonly Row[],
  work: (row: Row, index: number) => Promise<Answer>,
): Promise<(Answer | Refused)[]> {
  const answers: (Answer | Refused)[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let index = next++; index < rows.length; index = next++) {
      const row = rows[index];
      if (row !== undefined) answers[index] = await orRefusal(() => work(row, index));
    }
  };
  await Promise.all(Array.from({ length: BATCH_WIDTH }, worker));
  return answers;
}

export async function orRefusal<Answer>(work: () => Promise<Answer>): Promise<Answer | Refused> {
  try {
    return await work();
  } catch (error) {
    if (!isProblem(error)) throw error;
    return refusedRow(error);
  }
}

export function refusedRow(refusal: Problem): Refused {
  const view = problemView(refusal);
  return { status: view.status, error: view };
}
