/** The search of version 1 through a strict client: statuses, drafts, pages. */
import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import { emailStatuses } from '../../lib/core/emails/email.ts';
import { v1StatusTable } from '../../lib/http/presenters/v1/email.ts';
import { createEmail } from '../../lib/storage/emails/email-heads.ts';
import { commit } from '../../lib/storage/table/transactions.ts';
import { createThread } from '../../lib/storage/threads/threads.ts';
import { type ApiRequest, api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { buyer, fromBuyer, storedHead } from '../support/stored-mail.ts';
import { v1Client } from '../support/v1-client.ts';
import { workspace } from '../support/workspace.ts';

describe('the search of version 1', () => {
  // Drafts are stored elsewhere.
  it.each(emailStatuses.filter((status) => status !== 'draft'))(
    'finds a thread by the status that version 1 shows for %s',
    async (status) => {
      const own = await workspace();
      const v1 = v1Client(own);
      const threadId = newId('thr');
      const about = { id: threadId, spaceId: null, subject: 'S', mailbox: 'a@b.test', forwardOf: null };
      const id = newId('eml');
      const first = { emailId: id, at: 1, snippet: '', ...fromBuyer, participants: [buyer], mailboxes: [] };
      await commit(own.id, [
        ...createThread(own.id, about, first),
        ...createEmail(own.id, { ...storedHead({ id, threadId }), status }),
      ]);
      const shown = v1StatusTable[status];
      for (const wanted of [
        'QUEUED',
        'ACCEPTED',
        'SENT',
        'RECEIVED',
        'BOUNCED',
        'COMPLAINED',
        'FAILED',
        'REJECTED',
        'READ',
        'ARCHIVED',
        'DRAFT',
      ]) {
        const { body } = await v1('searchThreads', { someEmailHasStatus: wanted });
        const ids = body.threads.map((thread: { id: string }) => thread.id);
        expect(ids, wanted).toEqual(wanted === shown ? [threadId] : []);
      }
    },
  );

  it('finds threads of drafts only when it asks for drafts', async () => {
    const own = await workspace();
    const v1 = v1Client(own);
    const from = `support@${own.providedDomain}`;
    const mail = { from, to: 'anna@example.test', subject: 'Draft', html: '<p>Hi</p>', is_draft: true };
    const { threadId } = (await v1('sendEmail', mail)).body;
    await v1('sendEmail', { ...mail, threadId, to: 'ben@example.test' });
    expect((await v1('searchThreads', {})).body.pagination.total).toBe(0);
    const { body } = await v1('searchThreads', {
      someEmailHasStatus: 'DRAFT',
      hasEmailToAddress: 'ben@example.test',
    });
    expect(body).toMatchObject({
      threads: [
        {
          id: threadId,
          subject: 'Draft',
          emailCount: 2,
          participantEmails: [from, 'anna@example.test', 'ben@example.test'],
        },
      ],
      pagination: { total: 1, limit: 20, offset: 0, hasMore: false },
    });
  });

  it('pages through threads with the right totals, and sees an answer at once', async () => {
    const own = await workspace();
    const v1 = v1Client(own);
    const from = `support@${own.providedDomain}`;
    for (const subject of ['One', 'Two', 'Three']) {
      await v1('sendEmail', { from, to: 'anna@example.test', subject, html: '<p>Hi</p>' });
    }
    await cloud().waitForQuiescence();
    const page = async (more: object) => {
      const { body } = await v1('searchThreads', { sortBy: 'createdAt', sortOrder: 'asc', ...more });
      return [body.threads.map(({ subject }: { subject: string }) => subject), body.pagination];
    };
    expect(await page({ limit: 2 })).toEqual([
      ['One', 'Two'],
      { total: 3, limit: 2, offset: 0, hasMore: true },
    ]);
    expect(await page({ limit: 2, offset: 2 })).toEqual([
      ['Three'],
      { total: 3, limit: 2, offset: 2, hasMore: false },
    ]);
    expect((await page({ conversationState: 'awaiting_reply' }))[1].total).toBe(3);
    const { body } = await v1('searchThreads', { subjectContains: 'TWO' });
    const { emails } = (await v1('retrieveThread', body.threads[0].id)).body;
    await cloud().sendMail({
      from: 'anna@example.test',
      to: from,
      subject: 'Re: Two',
      text: 'Yes',
      inReplyTo: emails[0].messageId,
    });
    await cloud().waitForQuiescence();
    expect(await page({ conversationState: 'needs_reply', someEmailHasDirection: 'OUTBOUND' })).toEqual([
      ['Two'],
      expect.objectContaining({ total: 1 }),
    ]);
    expect((await page({ hasEmailFromAddress: 'anna@example.test' }))[0]).toEqual(['Two']);
    expect((await api(own).get('/threads?limit=1')).body.data[0]).toMatchObject({ subject: 'Two' });
  });

  it.each<[string, ApiRequest]>([
    ['has neither body nor media type', {}],
    ['has an empty body of any media type', { raw: '', headers: { 'content-type': 'text/plain' } }],
    ['has an empty object', { body: {} }],
  ])('finds every thread when a request %s', async (_, request) => {
    const own = await workspace();
    const from = `support@${own.providedDomain}`;
    const v1 = v1Client(own);
    await v1('sendEmail', { from, to: 'anna@example.test', subject: 'One', html: '<p>Hi</p>' });
    const { status, body } = await api(own).request('POST', '/api/v1/threads/search', request);
    expect([status, body]).toMatchObject([
      200,
      { threads: [{ subject: 'One' }], pagination: { total: 1, limit: 20, offset: 0, hasMore: false } },
    ]);
  });

  it('answers BAD_REQUEST with an issue when a filter is invalid', async () => {
    const v1 = v1Client(await workspace());
    const cases = {
      limit: 101,
      offset: -1,
      createdAfter: '2026-01-31T12:00:00',
      hasParticipantEmails: ['nobody'],
      hasEmailFromAddress: 'nobody',
      someEmailHasStatus: 'sent',
      someEmailHasDirection: 'inbound',
      conversationState: 'waiting',
      staleThresholdDays: 366,
      sortBy: 'id',
      sortOrder: 'up',
      space: 'none',
    };
    for (const [field, value] of Object.entries(cases)) {
      const { body } = await v1('searchThreads', { [field]: value });
      expect(body.code, field).toBe('BAD_REQUEST');
      expect(body.issues[0].path).toMatch(new RegExp(`^${field}`));
    }
  });
});
