/**
 * Chooses a route as API Gateway's HTTP APIs do: whole segments, the most specific key first, `$default` last.
 * A literal segment beats `{variable}`, which beats `{greedy+}`; a named method beats `ANY`.
 */

export interface RouteMatch<T> {
  readonly routeKey: string;
  readonly target: T;
  /** Decoded values by variable name; null for a route without variables, as the gateway leaves them out. */
  readonly pathParameters: Readonly<Record<string, string>> | null;
}

/** Finds the route for a method and a path as it came over the wire; null when not even `$default` is there. */
export type RouteMatcher<T> = (method: string, rawPath: string) => RouteMatch<T> | null;

interface Route<T> {
  readonly routeKey: string;
  readonly target: T;
  readonly method: string;
  readonly segments: readonly Segment[];
}

interface Segment {
  readonly kind: 'literal' | 'variable' | 'greedy';
  readonly name: string;
}

const DEFAULT_KEY = '$default';
const SPECIFICITY = { literal: 0, variable: 1, greedy: 2 } as const;

/** @param targets Route keys, e.g. `POST /v1/leases/{lease}`, with what serves them. */
export function routeMatcher<T>(targets: Iterable<readonly [routeKey: string, target: T]>): RouteMatcher<T> {
  const routes: Route<T>[] = [];
  let fallback: RouteMatch<T> | null = null;
  for (const [routeKey, target] of targets) {
    if (routeKey === DEFAULT_KEY) fallback = { routeKey, target, pathParameters: null };
    else routes.push({ routeKey, target, ...parseKey(routeKey) });
  }
  routes.sort(bySpecificity);
  return (method, rawPath) => {
    const parts = rawPath.slice(1).split('/');
    for (const route of routes) {
      if (route.method !== 'ANY' && route.method !== method) continue;
      const values = matchSegments(route.segments, parts);
      if (values === null) continue;
      const pathParameters = Object.keys(values).length === 0 ? null : values;
      return { routeKey: route.routeKey, target: route.target, pathParameters };
    }
    return fallback;
  };
}

function parseKey(routeKey: string): { method: string; segments: Segment[] } {
  const [, method, path] = /^([A-Z]+) \/(.*)$/.exec(routeKey) ?? [];
  if (method === undefined || path === undefined) {
    throw new Error(`Route key "${routeKey}" is neither "$default" nor "METHOD /path".`);
  }
  return { method, segments: path.split('/').map(parseSegment) };
}

function parseSegment(text: string): Segment {
  const [, variable, plus] = /^\{([^{}+]+)(\+?)\}$/.exec(text) ?? [];
  if (variable === undefined) return { kind: 'literal', name: text };
  return { kind: plus === '+' ? 'greedy' : 'variable', name: variable };
}

/** Segment by segment from the left, as long as both have one; then the method. */
function bySpecificity<T>(a: Route<T>, b: Route<T>): number {
  for (const [index, segment] of a.segments.entries()) {
    const other = b.segments[index];
    if (other === undefined) break;
    const difference = SPECIFICITY[segment.kind] - SPECIFICITY[other.kind];
    if (difference !== 0) return difference;
  }
  return Number(a.method === 'ANY') - Number(b.method === 'ANY');
}

function matchSegments(
  segments: readonly Segment[],
  parts: readonly string[],
): Record<string, string> | null {
  const values: Record<string, string> = {};
  for (const [index, segment] of segments.entries()) {
    if (segment.kind === 'greedy') {
      const rest = parts.slice(index).join('/');
      return rest === '' ? null : { ...values, [segment.name]: decode(rest) };
    }
    const part = parts[index];
    if (part === undefined || part === '') return null;
    if (segment.kind === 'variable') values[segment.name] = decode(part);
    else if (decode(part) !== segment.name) return null;
  }
  return parts.length === segments.length ? values : null;
}

/** Not every `%` starts an escape; a part that cannot be decoded stays as it came. */
function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
