/** The bodies of webhooks. */
import { describe, expect, it } from 'vitest';
import type { SendingDomain } from '../../../lib/core/domains/sending-domain.ts';
import type { EmailContent, EmailHead, FullEmail, HistoryEntry } from '../../../lib/core/emails/email.ts';
import { noVerdicts } from '../../../lib/core/emails/email.ts';
import { composeId, type IdPrefix } from '../../../lib/core/ids.ts';
import type { Mailbox } from '../../../lib/core/mailboxes/mailbox.ts';
import { noCorrespondence, type Thread } from '../../../lib/core/threads/thread.ts';
import type { Engagement } from '../../../lib/core/tracking/engagement.ts';
import type { EventSubject } from '../../../lib/core/webhooks/event.ts';
import type { EventType } from '../../../lib/core/webhooks/event-types.ts';
import { eventSchema, presentEvent } from '../../../lib/http/presenters/events.ts';

const id = <P extends IdPrefix>(prefix: P) => composeId(prefix, 1, new Uint8Array(10).fill(5));
const at = Date.UTC(2026, 0, 2, 3, 4, 5, 6);
const ann = { name: 'Ann', address: 'ann@example.com' };
const desk = { name: 'Desk', address: 'desk@acme.test' };

const head: EmailHead = {
  id: id('eml'),
  threadId: id('thr'),
  spaceId: id('spc'),
  status: 'sent',
  from: desk,
  to: [ann],
  others: [],
  subject: 'Hello',
  snippet: 'Hello there',
  category: null,
  suspicious: false,
  suppressionKey: 'news',
  messageId: '<1@acme.test>',
  inReplyTo: null,
  idempotencyKey: null,
  domainId: id('dom'),
  mailboxId: null,
  createdAt: at,
  scheduledAt: null,
  sentAt: at,
  revision: 0,
};
const content: EmailContent = {
  cc: [],
  bcc: [],
  replyTo: [],
  html: null,
  text: 'Hello there',
  strippedText: null,
  strippedHtml: null,
  segments: [],
  references: [],
  headers: [],
  attachments: [{ id: id('att'), filename: 'a.pdf', contentType: 'application/pdf', size: 3, cid: null }],
  verdicts: noVerdicts,
};
const attachments = [
  { id: id('att'), filename: 'a.pdf', content_type: 'application/pdf', size: 3, preparation: null },
];
const outbound = {
  email_id: id('eml'),
  thread_id: id('thr'),
  domain_id: id('dom'),
  mailbox_id: null,
  message_id: '<1@acme.test>',
  suppression_key: 'news',
};
const entry = (changes: Partial<HistoryEntry>): HistoryEntry => ({
  type: 'delivered',
  at,
  recipients: ['ann@example.com'],
  detail: null,
  ...changes,
});

function event(type: EventType, subject: EventSubject) {
  const body = presentEvent({ id: id('evt'), type, at, subject });
  expect(eventSchema.parse(body)).toEqual(body);
  return body;
}

function ofEmail(type: EventType, email: Partial<FullEmail> = {}, of: HistoryEntry | null = null) {
  return event(type, {
    kind: 'email',
    email: { head, content, history: [], chunks: [], extractions: new Map(), engagementCount: 0, ...email },
    entry: of,
    engagement: null,
  });
}

describe('an event', () => {
  it('has the envelope of the interface', () => {
    const { data: _, ...envelope } = ofEmail('email.sent');
    expect(envelope).toEqual({
      id: id('evt'),
      type: 'email.sent',
      created_at: '2026-01-02T03:04:05.006Z',
      space_id: id('spc'),
    });
  });

  it('is refused where nothing publishes its type', () => {
    expect(() => ofEmail('mailbox.connected')).toThrow('mailbox.connected');
  });
});

describe('the data of', () => {
  it('email.sent is the message', () => {
    expect(ofEmail('email.sent').data).toEqual({
      ...outbound,
      from: desk.address,
      to: [ann.address],
      wire_message_ids: [],
      subject: 'Hello',
      snippet: 'Hello there',
      attachments,
    });
  });

  it('email.received names the recipients of the envelope', () => {
    const received: FullEmail = {
      head: { ...head, status: 'received', from: ann, to: [desk], suppressionKey: null, category: 'human' },
      content: {
        ...content,
        envelope: ['DESK@acme.test', 'hidden@acme.test'],
        verdicts: { ...noVerdicts, spam: 'PASS', spf: 'PASS' },
      },
      history: [],
      chunks: [],
      extractions: new Map(),
      engagementCount: 0,
    };
    expect(ofEmail('email.received', received).data).toEqual({
      email_id: id('eml'),
      thread_id: id('thr'),
      domain_id: id('dom'),
      mailbox_id: null,
      message_id: '<1@acme.test>',
      from: ann.address,
      to: ['DESK@acme.test', 'hidden@acme.test'],
      subject: 'Hello',
      snippet: 'Hello there',
      category: 'human',
      verdicts: { spam: 'PASS', virus: null, spf: 'PASS', dkim: null, dmarc: null, dmarc_policy: null },
      signals: [],
      attachments,
    });
  });

  it('email.sent and email.received name all recipients of a message with very many', () => {
    const to = Array.from({ length: 150 }, (_, n) => ({ name: null, address: `${n}@example.com` }));
    const email = { content: { ...content, to } };
    const addresses = to.map(({ address }) => address);
    expect(ofEmail('email.sent', email).data).toMatchObject({ to: addresses });
    expect(ofEmail('email.received', email).data).toMatchObject({ to: addresses });
  });

  it('email.delivered, email.bounced and email.complained is what the provider reported', () => {
    expect(ofEmail('email.delivered', {}, entry({})).data).toEqual({
      ...outbound,
      recipients: ['ann@example.com'],
    });
    const bounced = entry({ type: 'bounced', detail: '550 no such user', permanent: true });
    expect(ofEmail('email.bounced', {}, bounced).data).toEqual({
      ...outbound,
      recipients: ['ann@example.com'],
      permanent: true,
      reason: '550 no such user',
    });
    expect(ofEmail('email.complained', {}, entry({ type: 'complained' })).data).toEqual({
      ...outbound,
      recipients: ['ann@example.com'],
      reason: null,
    });
  });

  it('email.failed gives the reason of the refusal, also where the event names none', () => {
    const refused = entry({ type: 'failed', detail: 'not verified' });
    expect(ofEmail('email.failed', {}, refused).data).toEqual({ ...outbound, reason: 'not verified' });
    expect(ofEmail('email.failed', { history: [refused] }).data).toEqual({
      ...outbound,
      reason: 'not verified',
    });
  });

  it('email.opened and email.clicked tell of the hit', () => {
    const hit = { type: 'click', at, url: 'https://example.com/', userAgent: 'Phone', bot: true } as const;
    const email = { head, content, history: [], chunks: [], extractions: new Map(), engagementCount: 0 };
    const of = (type: EventType, given: Engagement) =>
      event(type, { kind: 'email', email, entry: null, engagement: given }).data;
    expect(of('email.opened', { ...hit, type: 'open', url: null, userAgent: null })).toEqual({
      ...outbound,
      user_agent: null,
      bot: true,
    });
    expect(of('email.clicked', hit)).toEqual({
      ...outbound,
      url: 'https://example.com/',
      user_agent: 'Phone',
      bot: true,
    });
  });

  it('email.unsubscribed names the address, and the list that it is on now', () => {
    const optOut = { scope: 'optional', source: 'one_click' } as const;
    expect(ofEmail('email.unsubscribed', {}, entry({ type: 'unsubscribed', optOut })).data).toEqual({
      email_id: id('eml'),
      domain_id: id('dom'),
      mailbox_id: null,
      address: 'ann@example.com',
      key: 'news',
      scope: 'optional',
      source: 'one_click',
    });
  });

  it('thread.created is the thread', () => {
    const thread: Thread = {
      id: id('thr'),
      spaceId: null,
      subject: 'Hello',
      mailbox: 'desk@acme.test',
      otherMailboxes: [],
      participants: [],
      correspondence: noCorrespondence,
      messageCount: 1,
      lastMessageAt: at,
      createdAt: at,
      forwardOf: null,
      snippet: '',
      newestEmailId: id('eml'),
      activity: [at],
      labels: [],
      unread: false,
      claim: null,
      version: 1,
    };
    expect(event('thread.created', { kind: 'thread', thread })).toMatchObject({
      space_id: null,
      data: { thread_id: id('thr'), subject: 'Hello', mailbox: 'desk@acme.test', forward_of: null },
    });
  });

  it('domain.verified and domain.lost is the domain by its shown name', () => {
    const domain: SendingDomain = {
      id: id('dom'),
      name: 'acme.test',
      wildcard: true,
      region: 'us-east-1',
      spaceId: id('spc'),
      parentId: null,
      provided: false,
      verifiedAt: at,
      createdAt: at,
      tracking: { opens: false, clicks: false },
      records: [],
      missing: null,
      nextCheckAt: null,
      version: 1,
    };
    const data = { domain_id: id('dom'), name: '*.acme.test', region: 'us-east-1' };
    expect(event('domain.verified', { kind: 'domain', domain }).data).toEqual(data);
    expect(event('domain.lost', { kind: 'domain', domain }).data).toEqual(data);
  });

  it('mailbox events is the mailbox; reconnected from the second connection on', () => {
    const mailbox: Mailbox = {
      id: id('mbx'),
      provider: 'google',
      accountId: '1',
      spaceId: id('spc'),
      address: 'anna@acme.test',
      name: 'Anna',
      state: 'active',
      stateReason: null,
      region: 'us-east-1',
      appId: id('app'),
      ref: 'user-1',
      connections: 2,
      connectedAt: at,
      lastSyncAt: null,
      revision: 3,
    };
    const base = { mailbox_id: id('mbx'), address: 'anna@acme.test', provider: 'google' };
    const connected = { ...base, app_id: id('app'), ref: 'user-1' };
    const first = event('mailbox.connected', { kind: 'mailbox', mailbox, connection: 1 });
    expect(first).toMatchObject({ space_id: id('spc'), data: { ...connected, reconnected: false } });
    const second = event('mailbox.connected', { kind: 'mailbox', mailbox, connection: 2 });
    expect(second.data).toEqual({ ...connected, reconnected: true });
    const refused = { ...mailbox, state: 'needs_reauth', stateReason: 'Google answered 400.' } as const;
    const lost = { kind: 'mailbox', mailbox: refused, connection: null } as const;
    expect(event('mailbox.needs_reauth', lost).data).toEqual({ ...base, reason: 'Google answered 400.' });
    const gone = { ...lost, mailbox };
    expect(event('mailbox.disconnected', gone).data).toEqual({ ...base, reason: null });
  });
});
