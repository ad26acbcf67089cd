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
