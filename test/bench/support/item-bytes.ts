/** Size of a value as DynamoDB counts it: UTF-8 of names and texts, half a byte a digit, a few for each container. */

const CONTAINER_BYTES = 3;
const ELEMENT_BYTES = 1;

/** Bytes of a whole item: its attributes' names and values. */
export function itemBytes(item: object): number {
  return Object.entries(item).reduce(
    (sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value),
    0,
  );
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return numberBytes(value);
  if (Array.isArray(value)) {
    return value.reduce<number>((sum, each) => sum + ELEMENT_BYTES + valueBytes(each), CONTAINER_BYTES);
  }
  if (typeof value !== 'object' || value === null) return 1;
  return CONTAINER_BYTES + ELEMENT_BYTES * Object.keys(value).length + itemBytes(value);
}

function numberBytes(value: number): number {
  const digits = String(value)
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '').length;
  return Math.ceil(digits / 2) + 1;
}
