/** Work side by side, but only so much of it at once. */

/** What `work` answers, in the order of the items; the first failure fails the whole. */
export async function inWidth<Item, Answer>(
  width: number,
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Answer>,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  const entries = items.entries();
  const worker = async (): Promise<void> => {
    for (const [index, item] of entries) answers[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
  return answers;
}
