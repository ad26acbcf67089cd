import { describe, expect, it } from 'vitest';
import { conflict, retryOnConflict } from '../../lib/services/retry-on-conflict.ts';

describe('retryOnConflict', () => {
  it('runs the attempt again when it conflicts, and returns its result', async () => {
    let attempts = 0;
    const result = await retryOnConflict('thread', async () => (++attempts < 3 ? conflict : attempts));
    expect(result).toBe(3);
  });

  it('throws an error that names the record when every attempt conflicts', async () => {
    let attempts = 0;
    const attempt = async () => {
      attempts += 1;
      return conflict;
    };
    await expect(retryOnConflict('thread 7', attempt, 4)).rejects.toThrow(
      'thread 7 changed during 4 attempts to write it',
    );
    expect(attempts).toBe(4);
  });

  it('lets many writers of one record through who begin at the same time', async () => {
    let version = 0;
    const write = async () => {
      const before = version;
      await new Promise((resolve) => setImmediate(resolve));
      if (version !== before) return conflict;
      version += 1;
    };
    await Promise.all(Array.from({ length: 30 }, () => retryOnConflict('thread', write, 10)));
    expect(version).toBe(30);
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
