import { describe, expect, it } from 'vitest';
import { noVerdicts } from '../../../lib/core/email.ts';
import { providerVerdicts } from '../../../lib/core/mailboxes/verdicts.ts';

const of = (...values: string[]) =>
  providerVerdicts(values.map((value) => ({ name: 'Authentication-Results', value })));

describe('providerVerdicts', () => {
  it('reads what Google writes', () => {
    const value =
      'mx.google.com; dkim=pass header.i=@a.test header.s=s; spf=fail (google.com: x) smtp.mailfrom=b@a.test; dmarc=fail (p=NONE) header.from=a.test';
    expect(of(value)).toEqual({ ...noVerdicts, dkim: 'PASS', spf: 'FAIL', dmarc: 'FAIL' });
  });

  it('reads what Microsoft writes, without the name of a server', () => {
    const value =
      'spf=pass (sender IP is 192.0.2.1) smtp.mailfrom=a.test; dkim=none (message not signed) header.d=none;dmarc=bestguesspass action=none header.from=a.test;compauth=pass reason=109';
    expect(of(value)).toEqual({ ...noVerdicts, spf: 'PASS', dkim: 'GRAY', dmarc: 'GRAY' });
  });

  it('counts a signature that passed, whatever became of the others', () => {
    expect(of('x; dkim=fail; dkim=pass').dkim).toBe('PASS');
  });

  it('reads the topmost header only: the sender may have written the others', () => {
    expect(of('mx.google.com; spf=fail', 'mx.google.com; spf=pass; dmarc=pass')).toEqual({
      ...noVerdicts,
      spf: 'FAIL',
    });
  });

  it('tells nothing of a message without the header', () => {
    expect(of()).toEqual(noVerdicts);
  });
});
