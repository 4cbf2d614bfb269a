/** Rows of a file in calls that the API takes. */

const LARGEST_BATCH = 100;
/** Under the API's megabyte, with room for what is around the rows. */
const LARGEST_BATCH_BYTES = 900_000;

/** @param weightOf What of a row is sent, and how much it counts beside the others where that is bounded too. */
export function* batchesOf<Row>(
  rows: readonly Row[],
  contentOf: (row: Row) => unknown,
  weight: { readonly of: (row: Row) => number; readonly most: number } = { of: () => 0, most: 0 },
): Generator<Row[]> {
  let batch: Row[] = [];
  let [bytes, weighs] = [0, 0];
  for (const row of rows) {
    const size = Buffer.byteLength(JSON.stringify(contentOf(row))) + 1;
    const more = weight.of(row);
    const full =
      batch.length === LARGEST_BATCH || bytes + size > LARGEST_BATCH_BYTES || weighs + more > weight.most;
    if (batch.length > 0 && full) {
      yield batch;
      batch = [];
      [bytes, weighs] = [0, 0];
    }
    batch.push(row);
    bytes += size;
    weighs += more;
  }
  if (batch.length > 0) yield batch;
}
