/** Finds the subschemas of a schema. Only what stands where a keyword expects a schema is one, and can be referred to. */
import { isArray, isObject, pointerStep } from './json.ts';
import { MAX_SUBSCHEMAS } from './limits.ts';
import { SUBSCHEMA_KEYWORDS, type SubschemaKeyword } from './subschema-keywords.ts';

export interface Subschema {
  /** JSON pointer from the schema's root, '' for the root itself. */
  readonly pointer: string;
  readonly schema: unknown;
  /** 1 for the root. */
  readonly depth: number;
  readonly children: readonly { readonly pointer: string; readonly applies: SubschemaKeyword['applies'] }[];
}

export interface SubschemaIndex {
  readonly byPointer: ReadonlyMap<string, Subschema>;
  /** Names given by `$anchor`, to pointers. */
  readonly anchors: ReadonlyMap<string, string>;
}

interface Child {
  readonly pointer: string;
  readonly schema: unknown;
  readonly applies: SubschemaKeyword['applies'];
}

function childrenUnder(keyword: string, kind: SubschemaKeyword, held: unknown, parent: string): Child[] {
  const pointer = `${parent}${pointerStep(keyword)}`;
  const { applies } = kind;
  if (kind.holds === 'schema') {
    return [{ pointer, schema: held, applies }];
  }
  const entries = kind.holds === 'list' ? (isArray(held) ? held : []) : isObject(held) ? held : {};
  return Object.entries(entries).map(([name, schema]) => ({
    pointer: `${pointer}${pointerStep(name)}`,
    schema,
    applies,
  }));
}

function childrenOf(schema: unknown, pointer: string): Child[] {
  if (!isObject(schema)) {
    return [];
  }
  return Object.keys(schema).flatMap((keyword) => {
    const kind = SUBSCHEMA_KEYWORDS.get(keyword);
    return kind === undefined ? [] : childrenUnder(keyword, kind, schema[keyword], pointer);
  });
}

/**
 * The root and its subschemas, parents before children, up to one more than are allowed: pointers repeat the names
 * above them, so that 64 KB of schema could otherwise have gigabytes of pointers. Misshapen keywords hold none.
 */
export function indexSubschemas(root: unknown): SubschemaIndex {
  const byPointer = new Map<string, Subschema>();
  const anchors = new Map<string, string>();
  const found: { pointer: string; schema: unknown; depth: number }[] = [
    { pointer: '', schema: root, depth: 1 },
  ];
  for (const { pointer, schema, depth } of found) {
    if (byPointer.size > MAX_SUBSCHEMAS + 1) {
      break;
    }
    const children = childrenOf(schema, pointer);
    byPointer.set(pointer, { pointer, schema, depth, children });
    found.push(...children.map((child) => ({ ...child, depth: depth + 1 })));
    const anchor = isObject(schema) ? schema['$anchor'] : undefined;
    if (typeof anchor === 'string' && !anchors.has(anchor)) {
      anchors.set(anchor, pointer);
    }
  }
  return { byPointer, anchors };
}
