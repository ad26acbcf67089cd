/** Threads of 2,000 messages. */
import { expect, it } from 'vitest';
import { limits } from '../../lib/core/limits.ts';
import { api } from '../support/api.ts';
import { pagesOf, storedThread } from '../support/stored-thread.ts';
import { workspace } from '../support/workspace.ts';

const count = 2000;

it('a thread of 2,000 messages has each message once and in order across its pages', async () => {
  const ours = await workspace();
  const texts = Array.from({ length: count }, (_, at) => `Message ${at}`);
  const { threadId, ids } = await storedThread(ours, texts);
  const pages = await pagesOf(api(ours), threadId, limits.pageSize);
  expect(pages.map(({ length }) => length)).toEqual(Array(count / limits.pageSize).fill(limits.pageSize));
  expect(pages.flat().map(({ id }) => id)).toEqual(ids);
  const { body } = await api(ours).get<{ message_count: number; snippet: string }>(`/threads/${threadId}`);
  expect([body.message_count, body.snippet]).toEqual([count, `Message ${count - 1}`]);
});
