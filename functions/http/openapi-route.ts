import type { OpenRoute, Route } from './route.ts';
import { openApiDocument } from './openapi.ts';

/** Serves the document of all routes, this one included; made once, when it is first asked for. */
export function openApiRoute(routes: () => readonly (Route | OpenRoute)[]): OpenRoute {
  let document: ReturnType<typeof openApiDocument> | undefined;
  return {
    method: 'GET',
    path: '/v1/openapi.json',
    scope: null,
    answer: () => (document ??= openApiDocument(routes())),
  };
}
