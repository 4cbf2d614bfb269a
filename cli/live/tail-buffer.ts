/** The last bytes of a stream: a command may print without end, and memory must not. */
export class TailBuffer {
  readonly #room: number;
  #chunks: Buffer[] = [];
  #length = 0;
  /** The beginning is gone. */
  cut = false;

  constructor(room: number) {
    this.#room = room;
  }

  add(bytes: Buffer): void {
    this.#chunks.push(bytes);
    this.#length += bytes.length;
    // Joined only now and then: each join copies what is kept.
    if (this.#length > this.#room * 2) this.#trim();
  }

  #trim(): void {
    const all = Buffer.concat(this.#chunks);
    if (all.length > this.#room) this.cut = true;
    const kept = all.subarray(Math.max(0, all.length - this.#room));
    this.#chunks = [kept];
    this.#length = kept.length;
  }

  text(): string {
    this.#trim();
    return Buffer.concat(this.#chunks).toString('utf8').replace(/^�+/, '');
  }

  /** The last line that says something. */
  lastLine(): string {
    return this.text().trimEnd().split('\n').at(-1)?.trim() ?? '';
  }
}
