/** Long threads: pages of their messages. */
import { describe, expect, it } from 'vitest';
import { limits } from '../../lib/core/limits.ts';
import { api } from '../support/api.ts';
import { pagesOf, storedThread } from '../support/stored-thread.ts';
import { workspace } from '../support/workspace.ts';

describe('a long thread', () => {
  // 2,000 messages take eight seconds: `threads.long.test.ts`.
  it('has each of 300 messages once and in order across its pages', async () => {
    const ours = await workspace();
    const texts = Array.from({ length: 300 }, (_, at) => `Message ${at}`);
    const { threadId, ids } = await storedThread(ours, texts);
    const pages = await pagesOf(api(ours), threadId, 40);
    expect(pages.map(({ length }) => length)).toEqual([40, 40, 40, 40, 40, 40, 40, 20]);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    const { body } = await api(ours).get(`/threads/${threadId}`);
    expect([body.message_count, body.snippet]).toEqual([300, 'Message 299']);
  });

  it('ends a page at 4 MB and skips no message when messages are large', async () => {
    const ours = await workspace();
    const text = 'x'.repeat(1_500_000);
    const { threadId, ids } = await storedThread(ours, [text, text, text, 'short', 'x'.repeat(4_500_000)]);
    const pages = await pagesOf(api(ours), threadId, 40);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flat().map(({ id }) => id)).toEqual(ids);
    for (const page of pages.filter(({ length }) => length > 1)) {
      expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThanOrEqual(limits.pageBytes);
    }
  });
});
