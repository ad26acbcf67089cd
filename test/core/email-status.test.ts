import { describe, expect, it } from 'vitest';
import { newId } from '../../lib/adapters/ids.ts';
import type { EmailStatus } from '../../lib/core/email.ts';
import { currentStatus } from '../../lib/core/email.ts';
import type { SubmissionChunk } from '../../lib/core/submission.ts';
import { storedHead } from '../support/stored-mail.ts';

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
