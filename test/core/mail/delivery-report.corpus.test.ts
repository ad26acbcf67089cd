import { describe, expect, it } from 'vitest';
import { isCorpusHere } from '../../../scripts/corpus/files.ts';
import { measureReports, share } from '../../../scripts/corpus/reports.ts';

const where = isCorpusHere ? 'real reports' : 'real reports (skipped: ../shared/corpus is absent)';

describe.skipIf(!isCorpusHere)(where, async () => {
  const cases = isCorpusHere ? await measureReports() : [];

  it.each([
    ['kind', 0.97, 'are taken for what they are'],
    ['recipient', 0.95, 'name somebody'],
    ['fields', 0.99, 'name nobody but whom their fields name'],
    ['original', 0.98, 'lead to the message they speak of'],
    ['permanence', 0.95, 'condemn an address only for its own fault'],
  ] as const)('%s: at least %d %s', (question, least, _guarantee) => {
    const { yes, of } = share(cases, question);
    expect(of).toBeGreaterThan(45);
    expect(yes / of).toBeGreaterThanOrEqual(least);
  });

  it('returns null when the mail is an automatic reply or ordinary mail', () => {
    const others = cases.filter(({ group }) => group === 'rfc3834' || group === 'no bounces');
    expect(others.length).toBeGreaterThan(4);
    expect(others.filter(({ report }) => report !== null)).toEqual([]);
  });

  it('are not permanent when the recipient name tells of a temporary failure', () => {
    const wrong = cases.filter(({ report }) =>
      report?.recipients.some(
        ({ status, permanent, action }) => permanent && (action !== 'failed' || status?.startsWith('4')),
      ),
    );
    expect(wrong.map(({ file }) => file)).toEqual([]);
  });
});
