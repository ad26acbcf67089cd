import { describe, expect, it } from 'vitest';
import { composeId, type SpaceId, type ThreadId } from '../../../lib/core/ids.ts';
import { candidateIds, candidateIdsMax } from '../../../lib/mail/threading/cited-ids.ts';
import {
  chooseThread,
  type IncomingMessage,
  type KnownThread,
  missingParents,
  missingParentsMax,
  type SubjectCandidate,
  subjectJoinMs,
  type WaitingThread,
} from '../../../lib/mail/threading/join.ts';

const bytes = (n: number) => new Uint8Array(10).fill(n);
const threadIds = [1, 2, 3].map((n): ThreadId => composeId('thr', 0, bytes(n)));
const [first = composeId('thr', 0, bytes(1)), second = first, third = first] = threadIds;
const otherSpace: SpaceId = composeId('spc', 0, bytes(1));

const nowMs = 2 * subjectJoinMs;
const incoming = (changes: Partial<IncomingMessage> = {}): IncomingMessage => ({
  spaceId: null,
  inReplyTo: [],
  references: [],
  subject: 'Re: Order 7',
  participants: ['ann@buyer.test', 'sales@acme.dev'],
  mailboxes: ['sales@acme.dev'],
  receivedAtMs: nowMs,
  ...changes,
});
const inHome = (threadId: ThreadId): KnownThread => ({ threadId, spaceId: null });
const candidate = (changes: Partial<SubjectCandidate> = {}): SubjectCandidate => ({
  threadId: third,
  spaceId: null,
  subject: 'Order 7',
  mailboxes: ['Sales@acme.dev'],
  participants: ['Ann@buyer.test', 'sales@acme.dev'],
  lastMessageAtMs: nowMs - 1000,
  ...changes,
});
const join = (
  message: Partial<IncomingMessage>,
  known: {
    byMessageId?: Record<string, KnownThread>;
    replyToken?: KnownThread;
    waiting?: WaitingThread[];
    bySubject?: SubjectCandidate[];
  },
) =>
  chooseThread(incoming(message), {
    byMessageId: new Map(Object.entries(known.byMessageId ?? {})),
    replyToken: known.replyToken ?? null,
    waiting: known.waiting ?? [],
    bySubject: known.bySubject ?? [],
  });

describe('chooseThread', () => {
  const byMessageId = { '<a@x>': inHome(first), '<b@x>': inHome(second) };
  const none = { threadId: null, by: null };

  it('prefers In-Reply-To, then References, the reply token, a waiting thread, and the subject', () => {
    const waiting = [candidate({ threadId: second })];
    const all = { byMessageId, replyToken: inHome(third), waiting, bySubject: [candidate()] };
    expect(join({ inReplyTo: ['<a@x>'], references: ['<b@x>'] }, all)).toEqual({
      threadId: first,
      by: 'in-reply-to',
    });
    expect(join({ inReplyTo: ['<unknown@x>'], references: ['<b@x>'] }, all)).toEqual({
      threadId: second,
      by: 'references',
    });
    expect(join({ references: ['<unknown@x>'] }, all)).toEqual({ threadId: third, by: 'reply-token' });
    expect(join({}, { waiting, bySubject: [candidate()] })).toEqual({
      threadId: second,
      by: 'missing-parent',
    });
    expect(join({}, { bySubject: [candidate()] })).toEqual({ threadId: third, by: 'subject' });
    expect(join({}, {})).toEqual(none);
  });

  it('chooses the last known reference when several are known', () => {
    const { threadId } = join({ references: ['<b@x>', '<a@x>', '<unknown@x>'] }, { byMessageId });
    expect(threadId).toBe(first);
  });

  it('joins no thread of another space when an id, a token or a subject points there', () => {
    const foreign = { threadId: second, spaceId: otherSpace };
    const known = {
      byMessageId: { '<a@x>': foreign },
      replyToken: foreign,
      waiting: [candidate({ spaceId: otherSpace })],
      bySubject: [candidate({ spaceId: otherSpace })],
    };
    expect(join({ inReplyTo: ['<a@x>'], references: ['<a@x>'] }, known)).toEqual(none);
    expect(join({ spaceId: otherSpace, inReplyTo: ['<a@x>'] }, known).threadId).toBe(second);
  });

  it('skips a known id of another space when another id is of its own space', () => {
    const known = {
      byMessageId: { '<a@x>': { threadId: second, spaceId: otherSpace }, '<b@x>': inHome(first) },
    };
    expect(join({ inReplyTo: ['<a@x>'], references: ['<b@x>', '<a@x>'] }, known)).toEqual({
      threadId: first,
      by: 'references',
    });
  });

  it.each<[string, Partial<IncomingMessage>, Partial<SubjectCandidate>]>([
    ['no reply prefix', { subject: 'Order 7' }, {}],
    ['a forward', { subject: 'Fwd: Order 7' }, {}],
    ['another subject', {}, { subject: 'Order 8' }],
    ['nothing but a prefix', { subject: 'Re:' }, { subject: '' }],
    ['another mailbox', {}, { mailboxes: ['help@acme.dev'] }],
    ['no participant but the mailbox in common', { participants: ['eve@evil.test', 'sales@acme.dev'] }, {}],
    ['a thread older than 30 days', {}, { lastMessageAtMs: nowMs - subjectJoinMs - 1 }],
  ])('does not join by subject when there is %s', (_what, message, changes) => {
    expect(join(message, { bySubject: [candidate(changes)] })).toEqual(none);
  });

  it('joins no waiting thread when only the mailbox is in common', () => {
    const stranger = candidate({ participants: ['eve@evil.test', 'sales@acme.dev'] });
    expect(join({}, { waiting: [stranger] })).toEqual(none);
    expect(join({}, { waiting: [stranger, candidate()] }).threadId).toBe(third);
  });

  it('chooses the most recent thread when several have the subject', () => {
    const older = candidate({ threadId: first, lastMessageAtMs: nowMs - 5000 });
    expect(join({ subject: 'AW: RE: order  7' }, { bySubject: [older, candidate(), older] }).threadId).toBe(
      third,
    );
  });
});

describe('chooseThread by subject', () => {
  it('prefers a thread with the same tags when another has the subject without them', () => {
    const tagged = candidate({
      threadId: first,
      subject: '[team] Order 7',
      lastMessageAtMs: nowMs - 9000,
    });
    const bySubject = [candidate(), tagged];
    expect(join({ subject: 'Re: [team] Order 7' }, { bySubject }).threadId).toBe(first);
    expect(join({ subject: 'Re: [buyers] Order 7' }, { bySubject }).threadId).toBe(third);
  });
});

describe('candidateIds', () => {
  it('lists In-Reply-To first, then References from last to first, each once', () => {
    expect(candidateIds({ inReplyTo: ['<c@x>'], references: ['<a@x>', '<b@x>', '<c@x>'] })).toEqual([
      '<c@x>',
      '<b@x>',
      '<a@x>',
    ]);
  });

  it('keeps the end and the beginning when the chain is too long', () => {
    const references = Array.from({ length: 5000 }, (_, n) => `<${n}@x>`);
    const ids = candidateIds({ inReplyTo: references.toReversed(), references });
    expect(ids.length).toBeLessThanOrEqual(candidateIdsMax);
    expect(ids[0]).toBe('<4999@x>');
    expect(ids).toContain('<4930@x>');
    expect(ids).toContain('<19@x>');
    expect(ids.at(-1)).toBe('<0@x>');
  });
});

describe('missingParents', () => {
  it('returns the cited ids that are unknown, without ids that have no @', () => {
    const message = { inReplyTo: ['<b@x>'], references: ['<a@x>', '<undefined>', '<b@x>'] };
    expect(missingParents(message, () => false)).toEqual(['<b@x>', '<a@x>']);
    expect(missingParents(message, (id) => id === '<b@x>')).toEqual(['<a@x>']);
  });

  it('returns the nearest ids and the root when there are many', () => {
    const references = Array.from({ length: 50 }, (_, n) => `<${n}@x>`);
    const ids = missingParents({ inReplyTo: [], references }, () => false);
    expect(ids).toHaveLength(missingParentsMax);
    expect([ids[0], ids.at(-2), ids.at(-1)]).toEqual(['<49@x>', '<41@x>', '<0@x>']);
  });
});
