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

describe('defaultProvider', () => {
  beforeEach(() => set({}));
  afterEach(() => set(Object.fromEntries(before)));

  it('reads the environment at each call, because Lambda renews the variables in place', async () => {
    const provide = defaultProvider();
    set({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' });
    const first = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' };
    expect(await provide()).toMatchObject(first);
    set({ AWS_ACCESS_KEY_ID: 'other', AWS_SECRET_ACCESS_KEY: 'secret' });
    const second = await provide();
    expect(second).toMatchObject({ accessKeyId: 'other', secretAccessKey: 'secret' });
    expect(second).not.toHaveProperty('sessionToken');
  });

  it('rejects when the environment holds no credentials', async () => {
    await expect(defaultProvider()()).rejects.toThrow('Unable to find environment variable credentials.');
  });
});
