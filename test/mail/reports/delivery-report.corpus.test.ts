import { describe, expect, it } from 'vitest';
import { corpusName, isCorpusHere } from '../../../scripts/corpus/files.ts';
import { measureReports, share } from '../../../scripts/corpus/reports.ts';

describe(`readDeliveryReport on ${corpusName}`, async () => {
  const cases = await measureReports();

  it.each([
    ['kind', 0.97, 'reads the right kind'],
    ['recipient', 0.95, 'reads a recipient'],
    ['fields', 0.99, 'reads only recipients that the fields name'],
    ['original', 0.98, 'reads the Message-ID of the original'],
    ['permanence', 0.95, 'is permanent only when the address is at fault'],
  ] as const)('%s: in at least %d of the reports, it %s', (question, least, _guarantee) => {
    const { yes, of } = share(cases, question);
    expect(of).toBeGreaterThan(isCorpusHere ? 45 : 25);
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
