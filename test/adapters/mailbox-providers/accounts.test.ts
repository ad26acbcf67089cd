/** Whose mailbox is connected: an address of somebody else must not pass for one's own. */
import { describe, expect, it } from 'vitest';
import { googleAccountOf } from '../../../lib/adapters/mailbox-providers/google/authorization.ts';
import { microsoftAccountOf } from '../../../lib/adapters/mailbox-providers/microsoft/authorization.ts';
import { scriptedProvider } from './scripted-provider.ts';

describe('googleAccountOf', () => {
  const accountOf = async (json: object) => {
    const { base } = await scriptedProvider({ 'GET /v1/userinfo': { json } });
    return await googleAccountOf(base, 'token');
  };

  it('reads id, address and name', async () => {
    const json = { sub: '42', email: 'Anna@Acme.test', email_verified: true, name: 'Anna' };
    expect(await accountOf(json)).toEqual({ id: '42', address: 'anna@acme.test', name: 'Anna' });
  });

  it.each([
    ['no address', { sub: '42' }],
    ['no id', { email: 'anna@acme.test', email_verified: true }],
    ['an address that is not verified', { sub: '42', email: 'anna@acme.test', email_verified: false }],
    ['an address of which nothing is said', { sub: '42', email: 'anna@acme.test' }],
  ])('refuses an account with %s', async (_, json) => {
    await expect(accountOf(json)).rejects.toMatchObject({ kind: 'refused' });
  });
});

describe('microsoftAccountOf', () => {
  const me = { id: 'oid', mail: 'Anna@Acme.test', userPrincipalName: 'anna@acme.onmicrosoft.test' };
  const inbox = { json: { id: 'inbox' } };
  const accountOf = async (json: object, folder: object = inbox) => {
    const { base } = await scriptedProvider({
      'GET /v1.0/me': { json },
      'GET /v1.0/me/mailFolders/inbox': folder,
    });
    return await microsoftAccountOf(base, 'token');
  };

  it('reads id, address and name', async () => {
    expect(await accountOf({ ...me, displayName: 'Anna' })).toEqual({
      id: 'oid',
      address: 'anna@acme.test',
      name: 'Anna',
    });
    expect(await accountOf({ ...me, mail: null })).toMatchObject({ address: 'anna@acme.onmicrosoft.test' });
  });

  it('refuses an account without a mailbox, whatever address its administrator has given it', async () => {
    const missing = { status: 404, json: { error: { code: 'MailboxNotEnabledForRESTAPI' } } };
    await expect(accountOf(me, missing)).rejects.toMatchObject({ kind: 'refused' });
    await expect(accountOf({ ...me, id: undefined })).rejects.toMatchObject({ kind: 'refused' });
    await expect(accountOf({ id: 'oid', userPrincipalName: 'anna' })).rejects.toMatchObject({
      kind: 'refused',
    });
  });

  it('fails as the provider does', async () => {
    const busy = { status: 429, json: { error: { code: 'TooManyRequests' } } };
    await expect(accountOf(me, busy)).rejects.toMatchObject({ kind: 'throttled' });
  });
});
