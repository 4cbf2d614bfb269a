/** Names of files: safe wherever they are saved, and each once per card. */
import { NAME_CHARACTERS } from './policy.ts';

const FALLBACK = 'attachment';
/** An ending longer than this is no file type. */
const EXTENSION_CHARACTERS = 20;

/**
 * The last part of a path, without what file systems or terminals take amiss: separators, control and direction
 * characters, dots and spaces at the ends.
 */
export function safeName(sent: string): string {
  const base =
    sent
      .normalize('NFC')
      .split(/[/\\]/)
      .findLast((part) => part.trim() !== '') ?? '';
  const clean = base.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}<>:"|?*]/gu, '_').replace(/^[.\s]+|[.\s]+$/gu, '');
  return clean === '' ? FALLBACK : fitted(clean, '');
}

/** The name, or with a number the first that none of `taken` is; upper and lower case are the same to some disks. */
export function freeName(name: string, taken: Iterable<string>): string {
  const used = new Set([...taken].map(folded));
  let free = name;
  for (let number = 2; used.has(folded(free)); number += 1) free = fitted(name, ` (${number})`);
  return free;
}

const folded = (name: string): string => name.toLowerCase();

/** Stem, suffix and extension in at most so many characters; the stem gives way. */
function fitted(name: string, suffix: string): string {
  const dot = name.lastIndexOf('.');
  const cut = dot > 0 && name.length - dot <= EXTENSION_CHARACTERS ? dot : name.length;
  const extension = name.slice(cut);
  const room = NAME_CHARACTERS - suffix.length - extension.length;
  const stem = name.slice(0, Math.min(cut, room)).toWellFormed();
  return stem + suffix + extension;
}
