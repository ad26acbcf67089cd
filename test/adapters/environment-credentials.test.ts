import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { defaultProvider } from '../../lib/adapters/environment-credentials.ts';

const names = [
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
  'AWS_CREDENTIAL_EXPIRATION',
] as const;
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

  const token = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'token' };
  const other = { AWS_ACCESS_KEY_ID: 'other', AWS_SECRET_ACCESS_KEY: 'secret' };

  it('reads the environment once', async () => {
    const provide = defaultProvider();
    set(token);
    const first = { accessKeyId: 'id', secretAccessKey: 'secret', sessionToken: 'token' };
    expect(await provide()).toMatchObject(first);
    set(other);
    expect(await provide()).toMatchObject(first);
  });

  it('reads it again where what it has read has expired', async () => {
    const provide = defaultProvider();
    set({ ...token, AWS_CREDENTIAL_EXPIRATION: '2000-01-01T00:00:00Z' });
    expect(await provide()).toMatchObject({ accessKeyId: 'id' });
    set(other);
    const second = await provide();
    expect(second).toMatchObject({ accessKeyId: 'other', secretAccessKey: 'secret' });
    expect(second).not.toHaveProperty('sessionToken');
  });

  it('reads it again where it held no credentials', async () => {
    const provide = defaultProvider();
    await expect(provide()).rejects.toThrow('Unable to find environment variable credentials.');
    set(other);
    expect(await provide()).toMatchObject({ accessKeyId: 'other' });
  });
});
