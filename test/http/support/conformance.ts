/** Holds an answer against what the document says of its route. */
import { expect } from 'vitest';
import { allRoutes } from '../../../functions/http/all-routes.ts';
import { routeMatcher } from '../../../functions/http/match-route.ts';
import { operationOf } from '../../../functions/http/operations.ts';
import { ProblemAnswer } from '../../../shared/schemas/responses/problem.ts';
import type { TestAnswer } from './http-world.ts';

const match = routeMatcher(allRoutes);

/** Parsing leaves out what a schema does not know: an answer that comes out the same says only what is documented. */
export function expectConforming(method: string, rawPath: string, answer: TestAnswer): void {
  const { status, headers, body } = answer;
  if (status >= 400) {
    expect(headers['content-type']).toBe('application/problem+json');
    expect(ProblemAnswer.parse(body)).toEqual(body);
    expect(body['status']).toBe(status);
    expect(body['request_id']).toBe(headers['x-request-id']);
    return;
  }
  const found = match(method, rawPath);
  if (!('route' in found)) throw new Error(`${method} ${rawPath} answered ${status} and is no route`);
  const { answer: schema } = operationOf(found.route);
  if (schema === null) return expect(status).toBe(204);
  expect(headers['content-type']).toBe('application/json');
  expect(schema.parse(body)).toEqual(body);
}
