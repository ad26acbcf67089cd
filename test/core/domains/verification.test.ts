import { describe, expect, it } from 'vitest';
import { emptyAnswers } from '../../../lib/core/domains/diagnostics/zone.ts';
import type { DnsRecord, RecordState, SendingDomain } from '../../../lib/core/domains/sending-domain.ts';
import {
  type Acceptance,
  providedVerification,
  verificationOf,
} from '../../../lib/core/domains/verification.ts';
import { composeId, type IdPrefix } from '../../../lib/core/ids.ts';

const id = <P extends IdPrefix>(prefix: P) => composeId(prefix, 0, new Uint8Array(10));
const dkimName = 's._domainkey.acme.test';

function domain(records: readonly DnsRecord[]): SendingDomain {
  return {
    id: id('dom'),
    name: 'acme.test',
    wildcard: false,
    region: 'us-east-1',
    spaceId: null,
    parentId: null,
    provided: false,
    verifiedAt: 1,
    createdAt: 0,
    tracking: { opens: false, clicks: false },
    records,
    missing: null,
    nextCheckAt: null,
    version: 0,
  };
}

function statusesOf(state: RecordState | null, isAnswered: boolean, acceptance: Acceptance) {
  const dkim = (of: RecordState): DnsRecord => ({
    id: id('dns'),
    purpose: 'DKIM',
    type: 'TXT',
    name: dkimName,
    value: 'v=DKIM1',
    priority: null,
    ttl: 300,
    state: of,
    lastCheckedAt: 0,
  });
  const answers = emptyAnswers();
  answers.TXT.set(dkimName, { status: isAnswered ? 'found' : 'failed', values: [], ms: 1 });
  const checked = domain(state === null ? [] : [dkim(state)]);
  const { verification, dkimStatus } = verificationOf(checked, { answers, findings: [] }, acceptance);
  return [verification, dkimStatus];
}

describe('verificationOf', () => {
  it.each([
    ['verified', true, 'ready', 'Success', 'Success'],
    ['verified', true, 'pending', 'Success', 'Pending'],
    ['missing', true, 'ready', 'Pending', 'Pending'],
    ['verified', true, 'failed', 'Failed', 'Failed'],
    ['verified', false, 'ready', 'TemporaryFailure', 'TemporaryFailure'],
    [null, true, 'ready', 'NotStarted', 'NotStarted'],
  ] as const)(
    'has the statuses of ownership and signing when the DKIM record is %s (DNS answers: %s) and SES says %s',
    (state, isAnswered, acceptance, ...expected) => {
      expect(statusesOf(state, isAnswered, acceptance)).toEqual(expected);
    },
  );
});

describe('providedVerification', () => {
  it('has no optional fields, since the records belong to the deployment', () => {
    const { verification, mxConflict, debug } = providedVerification(domain([]), 'pending');
    expect(verification).toBe('Success');
    expect(mxConflict).toEqual({ hasConflict: false, conflictingRecords: [] });
    expect(Object.keys(debug)).not.toContain('expectedVerificationToken');
  });
});
