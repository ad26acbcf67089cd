import { describe, expect, it } from 'vitest';
import { RecordContended } from '../../lib/core/work/table-busy.ts';
import { conflict, retryOnConflict } from '../../lib/services/retry-on-conflict.ts';
import { captureLog } from '../support/log-lines.ts';

describe('retryOnConflict', () => {
  it('runs the attempt again when it conflicts, and returns its result', async () => {
    let attempts = 0;
    const result = await retryOnConflict('thread', async () => (++attempts < 3 ? conflict : attempts));
    expect(result).toBe(3);
  });

  it('throws RecordContended and logs the name of the record when its patience is over', async () => {
    const lines = captureLog();
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      return conflict;
    };
    await expect(retryOnConflict('thread 7', attempt, 100)).rejects.toThrow(RecordContended);
    const cause = { message: `thread 7 changed during ${attempts} attempts to write it` };
    expect(lines).toMatchObject([{ level: 'WARN', event: 'table.record_contended', error: { cause } }]);
    expect(attempts).toBeGreaterThan(2);
  });

  it('lets many writers of one record through who begin at the same time', async () => {
    let version = 0;
    const write = async () => {
      const before = version;
      await new Promise((resolve) => setImmediate(resolve));
      if (version !== before) return conflict;
      version += 1;
    };
    await Promise.all(Array.from({ length: 30 }, () => retryOnConflict('thread', write)));
    expect(version).toBe(30);
  });

  it('runs the attempt again when transactions of others were in the way of its commit', async () => {
    let attempts = 0;
    const attempt = async () => {
      if (++attempts < 3) throw new RecordContended();
      return attempts;
    };
    expect(await retryOnConflict('thread', attempt)).toBe(3);
  });

  it('does not run the attempt again when it throws', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      throw new Error('refused');
    };
    await expect(retryOnConflict('thread', attempt)).rejects.toThrow('refused');
    expect(attempts).toBe(1);
  });
});
