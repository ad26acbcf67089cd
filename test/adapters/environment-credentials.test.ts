import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultProvider } from '../../lib/adapters/environment-credentials.ts';

const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
const before = new Map(names.map((name) => [name, process.env[name]]));

function set(values: Partial<Record<(typeof names)[number], string | undefined>>): void {
  for (const name of names) {
    const value = values[name];
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

describe('credentials', () => {
  beforeEach(() => set({}));
  afterEach(() => set(Object.fromEntries(before)));

  it('are those of the environment at the time of the call, as Lambda renews them in place', async () => {
    const provide = defaultProvider();
    set({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' });
    expect(await provide()).toEqual({ accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' });
    set({ AWS_ACCESS_KEY_ID: 'other', AWS_SECRET_ACCESS_KEY: 'secret' });
    expect(await provide()).toEqual({ accessKeyId: 'other', secretAccessKey: 'secret' });
  });

  it('that are not there are said to be missing', async () => {
    await expect(defaultProvider()()).rejects.toThrow(
      'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY are not set',
    );
  });
});
