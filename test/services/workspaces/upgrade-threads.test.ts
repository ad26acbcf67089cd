/** The upgrade of threads of 0.1.0, which stored no correspondence. */
import { describe, expect, it } from 'vitest';
import type { ThreadId } from '../../../lib/core/ids.ts';
import { expressionsOf } from '../../../lib/storage/expressions.ts';
import { threadKey } from '../../../lib/storage/keys.ts';
import { updateIf } from '../../../lib/storage/table.ts';
import { relistThreads } from '../../../lib/storage/threads.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { workspace } from '../../support/workspace.ts';

describe('the upgrade of threads', () => {
  it('lets the search of version 1 find threads of 0.1.0, and changes nothing when it is repeated', async () => {
    const own = await workspace();
    const client = api(own);
    const from = `support@${own.providedDomain}`;
    const mail = { from, to: 'anna@example.test', subject: 'Old', text: 'Hello' };
    const { body } = await client.post<{ thread_id: ThreadId }>('/emails', mail);
    await cloud().waitForQuiescence();
    await updateIf(threadKey(own.id, body.thread_id), expressionsOf({ remove: ['correspondence'] }));
    const found = async (filter: object): Promise<string[]> => {
      const answer = await client.post('/api/v1/threads/search', filter);
      return (answer.body as unknown as { threads: { id: string }[] }).threads.map(({ id }) => id);
    };
    const filters = [
      { hasEmailFromAddress: from },
      { hasEmailToAddress: 'anna@example.test' },
      { conversationState: 'awaiting_reply' },
      { someEmailHasDirection: 'OUTBOUND' },
    ];
    for (const filter of filters) expect(await found(filter)).toEqual([]);
    // What comes meanwhile does not make it look complete.
    await cloud().sendMail({ from: 'anna@example.test', to: [from], subject: 'Re: Old', text: 'Hi' });
    await cloud().waitForQuiescence();
    expect(await found(filters[0] ?? {})).toEqual([]);
    await relistThreads(own.id, { limit: 90, after: null });
    expect(await found({ hasEmailFromAddress: from, someEmailHasDirection: 'OUTBOUND' })).toEqual([
      body.thread_id,
    ]);
    expect(
      await found({ hasEmailFromAddress: 'anna@example.test', conversationState: 'needs_reply' }),
    ).toEqual([body.thread_id]);
    await relistThreads(own.id, { limit: 90, after: null });
    expect(await found({ conversationState: 'needs_reply' })).toEqual([body.thread_id]);
    expect(await found({ conversationState: 'awaiting_reply' })).toEqual([]);
  });
});
