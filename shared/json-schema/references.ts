/** `$ref`: what it names, and the two ways in which references make a small schema endless or huge. */
import { isObject } from './json.ts';
import type { Subschema, SubschemaIndex } from './subschemas.ts';

/** Pointer of the subschema that a `$ref` names; undefined for one that names none. Only `#...` is ever looked at. */
export function resolveReference(ref: string, index: SubschemaIndex): string | undefined {
  if (!ref.startsWith('#')) {
    return undefined;
  }
  const fragment = decodeFragment(ref.slice(1));
  if (fragment === undefined || fragment === '' || fragment.startsWith('/')) {
    return fragment !== undefined && index.byPointer.has(fragment) ? fragment : undefined;
  }
  return index.anchors.get(fragment);
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

/** Pointer that a subschema's own `$ref` leads to, if it has one. */
export function referenceOf(subschema: Subschema, index: SubschemaIndex): string | undefined {
  const ref = isObject(subschema.schema) ? subschema.schema['$ref'] : undefined;
  return typeof ref === 'string' ? resolveReference(ref, index) : undefined;
}

/**
 * A subschema that comes back to itself without going down into the value (`a` is `b`, `b` is `a`, also through
 * `allOf` and its like): checking a value against it would never end. Undefined where there is none.
 */
export function findEndlessReference(index: SubschemaIndex): string | undefined {
  const settled = new Map<string, 'open' | 'done'>();
  const visit = (pointer: string): string | undefined => {
    if (settled.has(pointer)) {
      return settled.get(pointer) === 'open' ? pointer : undefined;
    }
    settled.set(pointer, 'open');
    for (const next of sameValueAs(pointer, index)) {
      const found = visit(next);
      if (found !== undefined) {
        return found;
      }
    }
    settled.set(pointer, 'done');
    return undefined;
  };
  for (const pointer of index.byPointer.keys()) {
    const found = visit(pointer);
    if (found !== undefined) {
      return found;
    }
  }
  return undefined;
}

function sameValueAs(pointer: string, index: SubschemaIndex): string[] {
  const subschema = index.byPointer.get(pointer);
  if (subschema === undefined) {
    return [];
  }
  const target = referenceOf(subschema, index);
  const inPlace = subschema.children
    .filter((child) => child.applies === 'value')
    .map((child) => child.pointer);
  return target === undefined ? inPlace : [...inPlace, target];
}

/**
 * References met from the root when each is replaced by what it names; one that leads back into what is being
 * replaced counts once and ends there. Each subschema is counted once and remembered, so a bomb costs nothing.
 */
export function countExpandedReferences(index: SubschemaIndex): number {
  const known = new Map<string, number>();
  const open = new Set<string>();
  const count = (pointer: string): number => {
    const remembered = known.get(pointer);
    const subschema = index.byPointer.get(pointer);
    if (remembered !== undefined || subschema === undefined || open.has(pointer)) {
      return remembered ?? 0;
    }
    open.add(pointer);
    const target = referenceOf(subschema, index);
    let total = target === undefined ? 0 : 1 + count(target);
    for (const child of subschema.children) {
      total += child.applies === 'nothing' ? 0 : count(child.pointer);
    }
    open.delete(pointer);
    known.set(pointer, total);
    return total;
  };
  return count('');
}
