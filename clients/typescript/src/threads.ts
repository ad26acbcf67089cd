/** Threads, with their messages over all pages. */
import type { RequestOptions } from './options.ts';
import { ThreadsOperations } from './resources/threads.ts';
import type { FullEmail, ThreadsRetrieveQuery } from './types.ts';

export class Threads extends ThreadsOperations {
  /** All messages of a thread, oldest first, over all pages of `retrieve`. */
  async *messages(
    threadId: string,
    query: ThreadsRetrieveQuery = {},
    options?: RequestOptions,
  ): AsyncGenerator<FullEmail, void, undefined> {
    for (let page: ThreadsRetrieveQuery | null = query; page; ) {
      const { messages, next_message_cursor: next } = await this.retrieve(threadId, page, options);
      yield* messages;
      page = next === null ? null : { ...query, message_cursor: next };
    }
  }
}
