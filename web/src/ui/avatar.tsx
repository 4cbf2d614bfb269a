/** A name as a small coloured disc: the same name always looks the same. */

/** Hues far enough apart to be told from each other. */
const HUES = 12;

function hueOf(name: string): number {
  let hash = 0;
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) >>> 0;
  return hash % HUES;
}

/** `drafter-7` is D7, `anna` is AN. */
function initials(name: string): string {
  const number = /(\d{1,2})\D*$/.exec(name)?.[1];
  const letters = name.replace(/[^A-Za-z]/g, '');
  const text = number === undefined ? letters.slice(0, 2) : letters.slice(0, 1) + number;
  return (text === '' ? name.slice(0, 2) : text).toUpperCase();
}

export function Avatar({ name }: { readonly name: string }) {
  return (
    <span class={`avatar hue-${hueOf(name)}`} aria-hidden="true" title={name}>
      {initials(name)}
    </span>
  );
}
