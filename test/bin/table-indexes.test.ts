import { describe, expect, it } from 'vitest';
import { indexFindings } from '../../bin/doctor/table-indexes.ts';

const active = (...names: readonly string[]) =>
  names.map((IndexName) => ({ IndexName, IndexStatus: 'ACTIVE' as const }));

describe('indexFindings', () => {
  it('is content with the indexes of this release', () => {
    expect(indexFindings(['A', 'B'], active('B', 'A'))).toMatchObject([{ status: 'ok' }]);
  });

  it('says to wait while an index is built or deleted', () => {
    const building = [...active('A'), { IndexName: 'B', IndexStatus: 'CREATING' as const }];
    expect(indexFindings(['A', 'B'], building)).toMatchObject([
      { status: 'warning', found: 'The table is being changed: B is CREATING.' },
    ]);
  });

  it('says which step is next: the data stack, or the releases in between', () => {
    const [added] = indexFindings(['A', 'B'], active('A'));
    expect(added).toMatchObject({
      status: 'failure',
      todo: expect.stringContaining('Deploy the data stack'),
    });
    const [deleted] = indexFindings(['A'], active('A', 'B'));
    expect(deleted?.found).toContain('B is of another release');
    const [both] = indexFindings(['A', 'C'], active('A', 'B'));
    expect(both?.todo).toContain('deploy the releases in between first');
    expect(indexFindings(['A'], [])).toMatchObject([{ status: 'failure' }]);
  });
});
