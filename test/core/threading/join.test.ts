/** Joining: which conversation a message belongs to, and which it can never reach. */
import { describe, expect, it } from 'vitest';
import { composeId, type SpaceId, type ThreadId } from '../../../lib/core/ids.ts';
import {
  candidateIds,
  candidateIdsMax,
  chooseThread,
  type IncomingMessage,
  type KnownThread,
  missingParents,
  missingParentsMax,
  type SubjectCandidate,
  subjectJoinMs,
  type WaitingThread,
} from '../../../lib/core/threading/join.ts';

const bytes = (n: number) => new Uint8Array(10).fill(n);
const threadIds = [1, 2, 3].map((n): ThreadId => composeId('thr', 0, bytes(n)));
const [first = composeId('thr', 0, bytes(1)), second = first, third = first] = threadIds;
const otherSpace: SpaceId = composeId('spc', 0, bytes(1));

const nowMs = 2 * subjectJoinMs;
const arrival = (changes: Partial<IncomingMessage> = {}): IncomingMessage => ({
  spaceId: null,
  inReplyTo: [],
  references: [],
  subject: 'Re: Order 7',
  participants: ['ann@buyer.test', 'sales@acme.dev'],
  mailbox: 'sales@acme.dev',
  receivedAtMs: nowMs,
  ...changes,
});
const inHome = (threadId: ThreadId): KnownThread => ({ threadId, spaceId: null });
const candidate = (changes: Partial<SubjectCandidate> = {}): SubjectCandidate => ({
  threadId: third,
  spaceId: null,
  subject: 'Order 7',
  mailbox: 'Sales@acme.dev',
  participants: ['Ann@buyer.test', 'sales@acme.dev'],
  lastMessageAtMs: nowMs - 1000,
  ...changes,
});
const join = (
  message: Partial<IncomingMessage>,
  known: {
    byMessageId?: Record<string, KnownThread>;
    replyToken?: KnownThread;
    awaiting?: WaitingThread[];
    bySubject?: SubjectCandidate[];
  },
) =>
  chooseThread(arrival(message), {
    byMessageId: new Map(Object.entries(known.byMessageId ?? {})),
    replyToken: known.replyToken ?? null,
    awaiting: known.awaiting ?? [],
    bySubject: known.bySubject ?? [],
  });

describe('joinThread', () => {
  const byMessageId = { '<a@x>': inHome(first), '<b@x>': inHome(second) };
  const none = { threadId: null, by: null };

  it('prefers In-Reply-To to References, then the token, a thread that waits, and the subject', () => {
    const awaiting = [candidate({ threadId: second })];
    const all = { byMessageId, replyToken: inHome(third), awaiting, bySubject: [candidate()] };
    expect(join({ inReplyTo: ['<a@x>'], references: ['<b@x>'] }, all)).toEqual({
      threadId: first,
      by: 'in-reply-to',
    });
    expect(join({ inReplyTo: ['<unknown@x>'], references: ['<b@x>'] }, all)).toEqual({
      threadId: second,
      by: 'references',
    });
    expect(join({ references: ['<unknown@x>'] }, all)).toEqual({ threadId: third, by: 'reply-token' });
    expect(join({}, { awaiting, bySubject: [candidate()] })).toEqual({ threadId: second, by: 'awaited' });
    expect(join({}, { bySubject: [candidate()] })).toEqual({ threadId: third, by: 'subject' });
    expect(join({}, {})).toEqual(none);
  });

  it('takes the last known reference', () => {
    const { threadId } = join({ references: ['<b@x>', '<a@x>', '<unknown@x>'] }, { byMessageId });
    expect(threadId).toBe(first);
  });

  it('never joins a thread of another space, whatever points there', () => {
    const foreign = { threadId: second, spaceId: otherSpace };
    const known = {
      byMessageId: { '<a@x>': foreign },
      replyToken: foreign,
      awaiting: [candidate({ spaceId: otherSpace })],
      bySubject: [candidate({ spaceId: otherSpace })],
    };
    expect(join({ inReplyTo: ['<a@x>'], references: ['<a@x>'] }, known)).toEqual(none);
    expect(join({ spaceId: otherSpace, inReplyTo: ['<a@x>'] }, known).threadId).toBe(second);
  });

  it('passes over a known id of another space for one of its own', () => {
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
    ['another mailbox', {}, { mailbox: 'help@acme.dev' }],
    ['no participant but the mailbox in common', { participants: ['eve@evil.test', 'sales@acme.dev'] }, {}],
    ['a thread older than 30 days', {}, { lastMessageAtMs: nowMs - subjectJoinMs - 1 }],
  ])('does not join by subject with %s', (_what, message, changes) => {
    expect(join(message, { bySubject: [candidate(changes)] })).toEqual(none);
  });

  it('joins no thread that waits with nobody but the mailbox in common', () => {
    const stranger = candidate({ participants: ['eve@evil.test', 'sales@acme.dev'] });
    expect(join({}, { awaiting: [stranger] })).toEqual(none);
    expect(join({}, { awaiting: [stranger, candidate()] }).threadId).toBe(third);
  });

  it('takes the most recent thread of several with the subject', () => {
    const older = candidate({ threadId: first, lastMessageAtMs: nowMs - 5000 });
    expect(join({ subject: 'AW: RE: order  7' }, { bySubject: [older, candidate(), older] }).threadId).toBe(
      third,
    );
  });
});

describe('candidateIds', () => {
  it('names In-Reply-To first, then References from the last on, each once', () => {
    expect(candidateIds({ inReplyTo: ['<c@x>'], references: ['<a@x>', '<b@x>', '<c@x>'] })).toEqual([
      '<c@x>',
      '<b@x>',
      '<a@x>',
    ]);
  });

  it('keeps the end and the beginning of a chain that is too long', () => {
    const references = Array.from({ length: 5000 }, (_, n) => `<${n}@x>`);
    const ids = candidateIds({ inReplyTo: references.toReversed(), references });
    expect(ids.length).toBeLessThanOrEqual(candidateIdsMax);
    expect(ids[0]).toBe('<4999@x>');
    expect(ids).toContain('<4930@x>');
    expect(ids).toContain('<19@x>');
    expect(ids.at(-1)).toBe('<0@x>');
  });
});

describe('awaitedIds', () => {
  it('are what is cited and unseen, without what is no id', () => {
    const message = { inReplyTo: ['<b@x>'], references: ['<a@x>', '<undefined>', '<b@x>'] };
    expect(missingParents(message, () => false)).toEqual(['<b@x>', '<a@x>']);
    expect(missingParents(message, (id) => id === '<b@x>')).toEqual(['<a@x>']);
  });

  it('are few: the nearest and the one that began it', () => {
    const references = Array.from({ length: 50 }, (_, n) => `<${n}@x>`);
    const ids = missingParents({ inReplyTo: [], references }, () => false);
    expect(ids).toHaveLength(missingParentsMax);
    expect([ids[0], ids.at(-2), ids.at(-1)]).toEqual(['<49@x>', '<41@x>', '<0@x>']);
  });
});
