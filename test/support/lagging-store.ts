/** A table whose lanes still show, for a while, what has left them: the real index's lag, which the emulator hides. */
import { Store, type QueryInput, type StoreOptions, type Written } from '../../shared/store/store.ts';
import type { Item, Write } from '../../shared/store/params.ts';
import { LANES_INDEX } from '../../shared/store/table.ts';

export class LaggingStore extends Store {
  readonly #lagMs: number;
  readonly #now: () => number;
  /** Entries as they were last shown, by card. */
  readonly #shown = new Map<unknown, Item>();
  #gone: { readonly entry: Item; readonly at: number }[] = [];

  constructor(options: StoreOptions, lagMs: number) {
    super(options);
    this.#lagMs = lagMs;
    this.#now = () => options.deps.now();
  }

  override async write(write: Write): Promise<Written> {
    const written = await super.write(write);
    const entry = write.kind === 'update' ? this.#shown.get(write.key.pk) : undefined;
    if (written.ok && entry !== undefined && written.item?.['lane'] !== entry['lane']) {
      this.#gone.push({ entry, at: this.#now() });
    }
    return written;
  }

  override async query(input: QueryInput): Promise<{ items: Item[]; next: Item | undefined }> {
    const { items, next } = await super.query(input);
    if (input.index !== LANES_INDEX) return { items, next };
    this.#gone = this.#gone.filter(({ at }) => this.#now() - at < this.#lagMs);
    const late = this.#gone.filter(
      ({ entry }) =>
        entry['lane'] === input.pk.value && String(entry['pos']).startsWith(input.sk?.prefix ?? ''),
    );
    const seen = [...items, ...late.map(({ entry }) => entry)];
    seen.sort((a, b) => (String(a['pos']) < String(b['pos']) ? -1 : 1));
    const shown = seen.slice(0, input.limit);
    for (const item of shown) this.#shown.set(item['pk'], item);
    return { items: shown, next: seen.length > shown.length ? shown.at(-1) : next };
  }
}
