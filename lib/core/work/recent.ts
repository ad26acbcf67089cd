/** What a function remembers between invocations, bounded. */

/** A map that starts anew when it is full: no entry is needed, only useful. */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #max: number;

  constructor(max = 1000) {
    this.#max = max;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    if (!this.#entries.has(key) && this.#entries.size >= this.#max) this.#entries.clear();
    this.#entries.set(key, value);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }
}
