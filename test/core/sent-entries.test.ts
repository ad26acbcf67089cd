import { describe, expect, it } from 'vitest';
import { historyEntryId } from '../../lib/core/email.ts';
import { historyOf, missingSentEntries, sentEntryOf } from '../../lib/core/sent-entries.ts';
import type { SubmissionChunk } from '../../lib/core/submission.ts';
import { storedHead } from '../support/stored-mail.ts';

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

describe('historyOf', () => {
  const only = { ...accepted, of: 1 };
  const entryAt = (at: number) => ({
    id: historyEntryId(at, 'Delivery'),
    entry: { type: 'delivered', at, recipients: accepted.recipients, detail: null } as const,
  });
  const typesOf = (...args: Parameters<typeof historyOf>) => historyOf(...args).map(({ type }) => type);

  it('has the entry of an only chunk at its time, from the end of the submission on', () => {
    const stored = [entryAt(1), entryAt(3)];
    expect(typesOf({ status: 'delivered' }, [only], stored)).toEqual(['delivered', 'sent', 'delivered']);
    expect(typesOf({ status: 'sent' }, [only], [])).toEqual(['sent']);
    expect(typesOf({ status: 'queued' }, [only], [])).toEqual([]);
    expect(typesOf({ status: 'failed' }, [{ ...only, state: 'refused', providerId: null }], [])).toEqual([]);
  });

  it('has it once when an earlier version has stored it', () => {
    const sent = sentEntryOf(only);
    expect(historyOf({ status: 'sent' }, [only], sent ? [sent] : [])).toEqual([sent?.entry]);
  });

  it('has only what is stored when there are several chunks', () => {
    expect(typesOf({ status: 'sent' }, [accepted, { ...accepted, number: 1 }], [])).toEqual([]);
  });
});

describe('missingSentEntries', () => {
  const other = { ...accepted, number: 1, providerId: 'b' };

  it('has the entries of accepted chunks that the history lacks', () => {
    const entry = sentEntryOf(accepted)?.entry;
    const delivered = { type: 'delivered', at: 1, recipients: ['anna@example.test'], detail: null } as const;
    const history = [delivered, ...(entry ? [entry] : [])];
    const head = storedHead({ status: 'sending' });
    const missing = missingSentEntries({ head, chunks: [accepted, other], history });
    expect(missing.map(({ chunk }) => chunk.number)).toEqual([1]);
    expect(missingSentEntries({ head, chunks: [accepted, other], history: [] })).toHaveLength(2);
  });

  it.each([
    ['queued', [0]],
    ['sending', [0]],
    ['sent', []],
    ['delivered', []],
  ] as const)('has that of an only chunk until its email is sent (%s)', (status, expected) => {
    const progress = { head: storedHead({ status }), chunks: [{ ...accepted, of: 1 }], history: [] };
    expect(missingSentEntries(progress).map(({ chunk }) => chunk.number)).toEqual(expected);
  });
});
