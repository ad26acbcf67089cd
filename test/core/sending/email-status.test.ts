import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newId } from '../../../lib/adapters/ids.ts';
import {
  currentStatus,
  type EmailStatus,
  type HistoryEntry,
  mayFollow,
} from '../../../lib/core/emails/email.ts';
import type { SubmissionChunk } from '../../../lib/core/emails/submission.ts';
import { statusFromHistory } from '../../../lib/core/sending/provider-event.ts';
import { storedHead } from '../../support/stored-mail.ts';

const claim: SubmissionChunk = {
  number: 0,
  of: 1,
  recipients: ['anna@example.test'],
  state: 'claimed',
  attempt: 1,
  claimedAt: 1,
  region: 'eu-west-1',
  providerId: null,
  messageId: null,
  reason: null,
  completedAt: null,
};

describe('currentStatus', () => {
  it.each<[string, EmailStatus, SubmissionChunk[], EmailStatus]>([
    ['has no claim', 'queued', [], 'queued'],
    ['is claimed', 'queued', [claim], 'sending'],
    [
      'waits for the outcome of an earlier attempt',
      'queued',
      [{ ...claim, attempt: 2, claimedAt: 0 }],
      'sending',
    ],
    ['was put back by the provider', 'queued', [{ ...claim, claimedAt: 0, reason: 'busy' }], 'queued'],
    ['may have been sent through a mailbox', 'queued', [{ ...claim, reason: 'no answer' }], 'sending'],
    [
      'has a completed chunk which its head does not follow yet',
      'queued',
      [{ ...claim, state: 'accepted', providerId: 'x', completedAt: 2 }],
      'sending',
    ],
    ['is complete', 'sent', [{ ...claim, state: 'accepted', providerId: 'x' }], 'sent'],
    ['has several chunks', 'sending', [{ ...claim, of: 2 }], 'sending'],
  ])('of an email that %s', (_, status, chunks, shown) => {
    const head = storedHead({ id: newId('eml'), threadId: newId('thr'), status });
    expect(currentStatus({ head, chunks })).toBe(shown);
  });
});

/**
 * What `completeEmail` relies on: of writers who see more or less of a history, the one who sees all of it decides, also
 * where it writes nothing.
 */
describe('a status that a whole history leaves as it is', () => {
  const recipients = ['anna@example.test', 'ben@example.test', 'cleo@example.test'];
  const entry = fc.record({
    type: fc.constantFrom(
      ...(['sent', 'delivered', 'bounced', 'complained', 'rejected', 'failed', 'delayed'] as const),
    ),
    recipients: fc.subarray([...recipients, 'another@example.test']),
  });
  const statuses: readonly EmailStatus[] = ['sent', 'delivered', 'bounced', 'complained', 'failed'];

  it('is changed by no part of the history', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(entry, fc.boolean()), { maxLength: 8 }),
        fc.integer({ min: 1, max: 3 }),
        fc.constantFrom(...statuses),
        (entries, size, status) => {
          const all = entries.map(([{ type, recipients: of }, isSeen]): [HistoryEntry, boolean] => [
            { type, at: 1, recipients: of, detail: null },
            isSeen,
          ]);
          const isChangedBy = (history: readonly HistoryEntry[]) => {
            const next = statusFromHistory(history, recipients.slice(0, size));
            return next !== status && mayFollow(status, next);
          };
          fc.pre(!isChangedBy(all.map(([one]) => one)));
          expect(isChangedBy(all.flatMap(([one, isSeen]) => (isSeen ? [one] : [])))).toBe(false);
        },
      ),
      { numRuns: 2000 },
    );
  });
});
