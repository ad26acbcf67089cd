import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../../scripts/suite/run-outcome.ts';

describe('outcomeOf', () => {
  it('is green when the run succeeded and no test failed', () => {
    const output = 'noise\n3 passed, 0 failed, 1 skipped\n';
    expect(outcomeOf(output, true, 5)).toEqual({
      isGreen: true,
      counts: '3 passed, 0 failed, 1 skipped',
      seconds: 5,
      failures: [],
    });
  });

  it('is red when a test failed, the run failed, or there are no counts', () => {
    expect(outcomeOf('2 passed, 1 failed, 0 skipped', true, 1).isGreen).toBe(false);
    expect(outcomeOf('3 passed, 0 failed, 0 skipped', false, 1).isGreen).toBe(false);
    expect(outcomeOf('a finding of the linter', true, 1)).toMatchObject({ isGreen: false, counts: null });
  });

  it('names each failed test once, without colours', () => {
    const line = '\u001b[41m\u001b[1m FAIL \u001b[22m\u001b[49m  rules  test/a.test.ts > a > fails';
    expect(outcomeOf([line, line, ' FAIL  test/b.test.ts'].join('\n'), false, 1).failures).toEqual([
      'rules  test/a.test.ts > a > fails',
      'test/b.test.ts',
    ]);
  });
});
