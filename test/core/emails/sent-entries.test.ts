import { describe, expect, it } from 'vitest';
import { missingSentEntries, sentEntryOf } from '../../../lib/core/emails/sent-entries.ts';
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
