import { describe, expect, it } from 'vitest';
import { noVerdicts } from '../../../lib/core/emails/email.ts';
import { providerVerdicts } from '../../../lib/core/mailboxes/verdicts.ts';

const of = (...values: string[]) => ofAuthor('ann@a.test', ...values);
const ofAuthor = (author: string | null, ...values: string[]) =>
  providerVerdicts(
    values.map((value) => ({ name: 'Authentication-Results', value })),
    author,
  );

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
    expect(of('x; dkim=fail header.d=a.test; dkim=pass header.d=a.test').dkim).toBe('PASS');
  });

  it.each([
    ['the host of the author', 'Ann@A.test', 'header.i=@a.test', 'PASS'],
    ['an address of it', 'ann@a.test', 'header.i=ann@a.test', 'PASS'],
    ['the domain above', 'ann@mail.a.test', '(signature was verified) header.d=a.test', 'PASS'],
    ['a domain below', 'ann@a.test', 'header.d=mail.a.test header.s=s', 'PASS'],
    ['an international domain', 'ann@bücher.test', 'header.d=xn--bcher-kva.test', 'PASS'],
    ['another domain', 'ann@a.test', 'header.d=b.test', 'GRAY'],
    ['a domain with the same end', 'ann@a.test', 'header.d=ba.test', 'GRAY'],
    ['a top-level domain', 'ann@a.test', 'header.d=test', 'GRAY'],
    ['a domain in the selector', 'ann@a.test', 'header.d=b.test header.s=a.test', 'GRAY'],
    ['a domain before the at sign', 'ann@a.test', `header.i=a.test${'_'.repeat(70)}@b.test`, 'GRAY'],
    ['no domain', 'ann@a.test', '(verified)', 'GRAY'],
    ['a domain where the message has no author', null, 'header.d=a.test', 'GRAY'],
  ])('counts a DKIM signature as the author requires when it names %s', (_, author, signature, verdict) => {
    expect(ofAuthor(author, `mx.google.com; dkim=pass ${signature}`).dkim).toBe(verdict);
  });

  it('counts the signature of the author when another domain signed first', () => {
    expect(of('x; dkim=pass header.d=list.test; dkim=pass header.d=a.test').dkim).toBe('PASS');
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
