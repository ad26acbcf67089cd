import { describe, expect, it } from 'vitest';
import { noVerdicts } from '../../../lib/core/emails/email.ts';
import {
  defaultInboundPolicy,
  type InboundPolicy,
  inboundActionOf,
} from '../../../lib/core/receiving/inbound-policy.ts';

describe('inboundActionOf', () => {
  it.each([
    [{}, 'accept', null],
    [{ spam: 'PASS', virus: 'PASS', dmarc: 'PASS' }, 'accept', null],
    [{ spam: 'GRAY', virus: 'PROCESSING_FAILED', dmarc: 'DISABLED' }, 'accept', null],
    // SPF and DKIM fail on forwarded mail; DMARC decides.
    [{ spf: 'FAIL', dkim: 'FAIL' }, 'accept', null],
    [{ spam: 'FAIL' }, 'mark', 'spam'],
    [{ virus: 'fail' }, 'mark', 'virus'],
    [{ dmarc: 'FAIL', dmarcPolicy: 'none' }, 'mark', 'dmarc'],
  ] as const)('returns the default action when the verdicts are %j', (verdicts, action, verdict) => {
    expect(inboundActionOf(defaultInboundPolicy, { ...noVerdicts, ...verdicts })).toEqual({
      action,
      verdict,
    });
  });

  it('returns the strictest action when several verdicts fail', () => {
    const policy: InboundPolicy = { spam: 'mark', virus: 'drop', dmarc: 'accept' };
    const failing = (verdicts: object) => inboundActionOf(policy, { ...noVerdicts, ...verdicts });
    expect(failing({ spam: 'FAIL', virus: 'FAIL', dmarc: 'FAIL' })).toEqual({
      action: 'drop',
      verdict: 'virus',
    });
    expect(failing({ spam: 'FAIL', dmarc: 'FAIL' })).toEqual({ action: 'mark', verdict: 'spam' });
    expect(failing({ dmarc: 'FAIL' })).toEqual({ action: 'accept', verdict: null });
  });
});
