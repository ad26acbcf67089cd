/** What the doctor says of a standby region. */
import { describe, expect, it } from 'vitest';
import { type StandbyFacts, standbyFindings } from '../../bin/doctor/standby.ts';

const complete: StandbyFacts = {
  region: 'us-west-2',
  tableStreamArn: 'arn:stream',
  isProtected: true,
  secretsKeyArn: 'arn:key',
  copiesFiles: true,
  code: { there: 'a', here: 'a' },
  concurrentExecutions: 1000,
  lambdaConcurrency: 1000,
};
const findingsOf = (change: Partial<StandbyFacts>) =>
  standbyFindings({ table: 'parley', homeRegion: 'us-east-1' }, { ...complete, ...change });

describe('a standby region', () => {
  it('is complete, and its settings are named', () => {
    const findings = findingsOf({});
    expect(findings.map(({ status }) => status)).toEqual(findings.map(() => 'ok'));
    expect(findings.at(-1)?.found).toContain(
      '-c homeRegion=us-west-2 -c standbyOf=us-east-1 -c tableStreamArn=arn:stream -c secretsKeyArn=arn:key',
    );
  });

  it.each<[Partial<StandbyFacts>, string, RegExp]>([
    [{ tableStreamArn: null }, 'failure', /copy of the table in us-west-2 is not complete/],
    [{ secretsKeyArn: null }, 'failure', /no secret of the table could be read there/],
    [{ copiesFiles: false }, 'failure', /does not copy the files/],
    [{ isProtected: false }, 'warning', /from being deleted/],
    [{ code: { there: null, here: 'a' } }, 'warning', /No functions are deployed in us-west-2/],
    [{ code: { there: 'b', here: 'a' } }, 'warning', /another code/],
    [{ concurrentExecutions: 10 }, 'failure', /at most 10 functions/],
  ])('lacks %j', (change, status, found) => {
    const [lack, ...more] = findingsOf(change).filter((one) => one.status !== 'ok');
    expect(more).toEqual([]);
    expect(lack).toMatchObject({ status, found: expect.stringMatching(found) });
    expect(lack?.todo).toBeDefined();
  });
});
