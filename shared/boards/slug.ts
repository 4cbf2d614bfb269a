/** A board's name in addresses, and the prefix of its cards' keys. */

export const SLUG_MAX = 64;
const KEY_PREFIX_MAX = 5;
const FALLBACK = 'board';

/** A slug out of a board's name: what has no place in a slug becomes a dash. */
export function slugFromName(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase();
  const slug = plain
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replace(/^[-_]+/, '')
    .slice(0, SLUG_MAX)
    .replace(/-+$/, '');
  return slug === '' ? FALLBACK : slug;
}

/** `BUG` of `bug`, as in the card key `BUG-12`. */
export function keyPrefixOf(slug: string): string {
  return slug.replaceAll(/[-_]/g, '').slice(0, KEY_PREFIX_MAX).toUpperCase();
}
