/**
 * Finds the route of a request. A path matches by whole segments; the verb at its end is split off first, so
 * that `cards/crd_1:claim` and `cards/crd_1/claim` are the same, percent-encoded or not.
 */
import type { Address } from './route.ts';

export interface Matched<T> {
  readonly route: T;
  readonly params: Readonly<Record<string, string>>;
}

/** A match, or the methods that the path takes instead; none when there is no such path. */
export type Match<T> = Matched<T> | { readonly allow: readonly string[] };

interface Segments {
  readonly names: readonly string[];
  readonly verb: string | null;
}

interface Compiled<T> extends Segments {
  readonly method: string;
  readonly route: T | null;
}

/** No id or slug is longer: a longer segment names nothing, and would not fit into a key of the table. */
const SEGMENT_MAX = 200;
const PARAM = /^\{(.+)\}$/;

/**
 * @param elsewhere Addresses at the same paths that another function serves: they are not served here, but a
 * wrong method is told from a wrong path by them.
 */
export function routeMatcher<T extends Address>(routes: readonly T[], elsewhere: readonly Address[] = []) {
  const table: Compiled<T>[] = [
    ...routes.map((route) => compile(route, route)),
    ...elsewhere.map((address) => compile<T>(address, null)),
  ];
  return (method: string, rawPath: string): Match<T> => {
    const readings = readingsOf(rawPath);
    const found = readings.flatMap((reading) =>
      table.flatMap((row) => {
        const params = paramsOf(row, reading);
        return params === null ? [] : [{ row, params }];
      }),
    );
    for (const { row, params } of found) {
      if (row.method === method && row.route !== null) return { route: row.route, params };
    }
    return { allow: [...new Set(found.map(({ row }) => row.method))].sort() };
  };
}

function compile<T>(address: Address, route: T | null): Compiled<T> {
  const { method, path } = address;
  const [, plain = path, verb = null] = /^(.*):([a-z-]+)$/.exec(path) ?? [];
  return { method, route, names: plain.slice(1).split('/'), verb };
}

/** What a path may mean: with its verb after a colon, without a verb, or with its last segment as the verb. */
function readingsOf(rawPath: string): Segments[] {
  const names = decoded(rawPath);
  const last = names?.at(-1);
  if (names === null || last === undefined) return [];
  const before = names.slice(0, -1);
  const colon = last.indexOf(':');
  if (colon !== -1) return [{ names: [...before, last.slice(0, colon)], verb: last.slice(colon + 1) }];
  return [
    { names, verb: null },
    { names: before, verb: last },
  ];
}

/** The segments of a path; null for one that cannot be read, which then names nothing. */
function decoded(rawPath: string): string[] | null {
  try {
    return rawPath.slice(1).split('/').map(decodeURIComponent);
  } catch {
    return null;
  }
}

function paramsOf(row: Segments, reading: Segments): Record<string, string> | null {
  if (row.verb !== reading.verb || row.names.length !== reading.names.length) return null;
  const params: Record<string, string> = {};
  for (const [at, template] of row.names.entries()) {
    const value = reading.names[at] ?? '';
    const name = PARAM.exec(template)?.[1];
    if (name === undefined) {
      if (template !== value) return null;
    } else if (value === '' || value.length > SEGMENT_MAX) {
      return null;
    } else {
      params[name] = value;
    }
  }
  return params;
}
