/** Lists: a page, and all items over all pages. */

/** The body of a page, as on the wire. */
export interface PageBody<Item> {
  readonly data: Item[];
  readonly next_cursor: string | null;
}

/** Reads the page at a cursor; undefined is the first one. */
export type ReadPage<Item> = (cursor: string | undefined) => Promise<PageBody<Item>>;

/** A page of a list. Iterating over it goes on with the pages after it. */
export class Page<Item> implements AsyncIterable<Item> {
  /** May be fewer than `limit`, even none, while there is a next page. */
  readonly items: Item[];
  /** `cursor` of the next page; null on the last one. */
  readonly next_cursor: string | null;
  readonly #read: ReadPage<Item>;

  constructor({ data, next_cursor }: PageBody<Item>, read: ReadPage<Item>) {
    this.items = data;
    this.next_cursor = next_cursor;
    this.#read = read;
  }

  /** The page after this one; null after the last one. */
  async nextPage(): Promise<Page<Item> | null> {
    if (this.next_cursor === null) return null;
    return new Page(await this.#read(this.next_cursor), this.#read);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for (let page: Page<Item> | null = this; page; page = await page.nextPage()) yield* page.items;
  }
}

/** A list that is read when it is awaited (its first page) or iterated over (all items of all pages). */
export class PagePromise<Item> implements PromiseLike<Page<Item>>, AsyncIterable<Item> {
  readonly #read: ReadPage<Item>;
  #first: Promise<Page<Item>> | undefined;

  constructor(read: ReadPage<Item>) {
    this.#read = read;
  }

  #page(): Promise<Page<Item>> {
    this.#first ??= this.#read(undefined).then((body) => new Page(body, this.#read));
    return this.#first;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` reads the first page.
  then<A = Page<Item>, B = never>(
    onFulfilled?: ((page: Page<Item>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#page().then(onFulfilled, onRejected);
  }

  catch<B = never>(onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null): Promise<Page<Item> | B> {
    return this.#page().catch(onRejected);
  }

  finally(onFinally?: (() => void) | null): Promise<Page<Item>> {
    return this.#page().finally(onFinally);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    yield* await this.#page();
  }

  /**
   * All items as an array.
   *
   * @param options.max stops there, so that a long list does not fill the memory
   */
  async toArray({ max }: { readonly max: number }): Promise<Item[]> {
    const items: Item[] = [];
    if (max <= 0) return items;
    for await (const item of this) {
      items.push(item);
      if (items.length >= max) break;
    }
    return items;
  }
}
