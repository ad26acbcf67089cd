import { describe, expect, it } from 'vitest';
import type { HistoryEntry } from '../../../lib/core/emails/email.ts';
import { historyInOrder, missingSentEntries, sentEntryOf } from '../../../lib/core/emails/sent-entries.ts';
import type { SubmissionChunk } from '../../../lib/core/emails/submission.ts';

const accepted: SubmissionChunk = {
  number: 0,
  of: 2,
  recipients: ['anna@example.test'],
  state: 'accepted',
  attempt: 1,
  claimedAt: 1,
  region: 'us-east-1',
  providerId: 'a',
  messageId: null,
  reason: null,
  completedAt: 2,
};

describe('sentEntryOf', () => {
  it('makes the same entry whenever it is made', () => {
    expect(sentEntryOf(accepted)).toEqual({
      chunk: accepted,
      id: expect.stringMatching(/^000000000000002#[0-9a-f]{32}$/),
      entry: {
        type: 'sent',
        at: 2,
        recipients: accepted.recipients,
        detail: '<a@email.amazonses.com>',
      },
      messageId: '<a@email.amazonses.com>',
    });
    expect(sentEntryOf({ ...accepted })?.id).toBe(sentEntryOf(accepted)?.id);
  });

  it('names the Message-ID of the chunk where SES writes none', () => {
    expect(sentEntryOf({ ...accepted, messageId: '<own@acme.test>' })?.messageId).toBe('<own@acme.test>');
  });

  it.each<[string, SubmissionChunk]>([
    ['is claimed', { ...accepted, state: 'claimed', providerId: null, completedAt: null }],
    ['was refused', { ...accepted, state: 'refused', providerId: null, reason: 'No' }],
  ])('is null for a chunk that %s', (_, chunk) => {
    expect(sentEntryOf(chunk)).toBeNull();
  });
});

describe('missingSentEntries', () => {
  const other = { ...accepted, number: 1, providerId: 'b' };

  it('has the entries of accepted chunks that the history lacks', () => {
    const entry = sentEntryOf(accepted)?.entry;
    const delivered = { type: 'delivered', at: 1, recipients: ['anna@example.test'], detail: null } as const;
    const history = [delivered, ...(entry ? [entry] : [])];
    const missing = missingSentEntries({ chunks: [accepted, other], history });
    expect(missing.map(({ chunk }) => chunk.number)).toEqual([1]);
    expect(missingSentEntries({ chunks: [accepted, other], history: [] })).toHaveLength(2);
  });
});

describe('historyInOrder', () => {
  const entry = (type: HistoryEntry['type'], at: number, ...recipients: string[]): HistoryEntry => ({
    type,
    at,
    recipients,
    detail: null,
  });
  const shown = (history: readonly HistoryEntry[], createdAt = 0) =>
    historyInOrder(history, createdAt).map(({ type, at }) => `${type} ${at}`);

  it('has the time of the first report as that of an answer that came later', () => {
    const history = [entry('delivered', 5, 'b'), entry('delivered', 6, 'a'), entry('sent', 9, 'a', 'b')];
    expect(shown(history)).toEqual(['sent 5', 'delivered 5', 'delivered 6']);
  });

  it('keeps what is in order, and what is about other recipients', () => {
    const history = [
      entry('suppressed', 1, 'c'),
      entry('sent', 2, 'a'),
      entry('delivered', 3, 'a'),
      entry('sent', 4, 'b'),
      entry('unsubscribed', 5, 'b'),
    ];
    expect(historyInOrder(history, 0)).toEqual(history);
  });

  it('believes no report that is older than the email', () => {
    expect(shown([entry('bounced', -5, 'a'), entry('sent', 9, 'a')], 3)).toEqual(['bounced -5', 'sent 3']);
  });
});
