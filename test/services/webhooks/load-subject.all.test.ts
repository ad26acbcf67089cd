/** Records that events are about. */
import { describe, expect, it } from 'vitest';
import type { SpaceId, ThreadId } from '../../../lib/core/ids.ts';
import { loadSubject } from '../../../lib/services/webhooks/load-subject.ts';
import { findEmailOrDraft } from '../../../lib/storage/emails/drafts.ts';
import { deletedSpacesKey } from '../../../lib/storage/table/keys.ts';
import { put } from '../../../lib/storage/table/table.ts';
import { findStoredThread } from '../../../lib/storage/threads/threads.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { verifiedDomain } from '../../support/verified-domain.ts';
import { workspace } from '../../support/workspace.ts';

describe('loadSubject of a thread', () => {
  it('finds nothing where its space is deleted, and what is in it is not yet removed', async () => {
    const own = await workspace();
    const client = api(own);
    const { body: space } = await client.post('/spaces', { name: 'Acme' });
    const domain = await verifiedDomain(client, space.id);
    const { status, body: sent } = await client.post('/emails', {
      from: `support@${domain.name}`,
      to: 'anna@example.test',
      subject: 'Hello',
      text: 'Hi',
    });
    expect(status).toBe(201);
    await cloud().waitForQuiescence();
    const threadId = sent.thread_id as ThreadId;
    const load = () => loadSubject(own.id, { threadId }, findEmailOrDraft);
    expect(await load()).toMatchObject({
      kind: 'thread',
      thread: { id: threadId },
      newest: { head: { id: sent.id } },
    });
    await put({ ...deletedSpacesKey(own.id), ids: new Set([space.id as SpaceId]) });
    expect(await findStoredThread(own.id, threadId)).toMatchObject({ id: threadId });
    expect(await load()).toBeNull();
  });
});
