import { describe, expect, it } from 'vitest';
import { cloud } from '../../support/cloud.ts';

interface Listed {
  readonly google: {
    readonly url: string;
    readonly accounts: readonly unknown[];
    readonly clients: readonly unknown[];
  };
}

describe('the control routes of mailbox providers', () => {
  it('list accounts and clients that are there from the start', async () => {
    const { google } = await cloud().control<Listed>('GET', '/mailbox-providers');
    expect(google.accounts).toContainEqual({
      address: 'anna.berg@gmail.com',
      name: 'Anna Berg',
      id: expect.stringMatching(/^\d{21}$/),
    });
    expect(google.clients).toContainEqual(
      expect.objectContaining({ client_id: 'local-app', name: 'Local app' }),
    );
    expect((await fetch(`${google.url}/oauth2/v3/certs`)).status).toBe(200);
  });

  it('create accounts and register clients that can ask for consent', async () => {
    const redirectUri = 'https://app.example.test/callback';
    await cloud().control('POST', '/mailbox-providers/google/accounts', { address: 'Ben@Control.test' });
    await cloud().control('POST', '/mailbox-providers/google/clients', {
      client_id: 'control-app',
      client_secret: 'secret',
      name: 'Control app',
      redirect_uris: [redirectUri],
    });
    const { google } = await cloud().control<Listed>('GET', '/mailbox-providers');
    const query = new URLSearchParams({
      client_id: 'control-app',
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid email',
    });
    const page = await (await fetch(`${google.url}/o/oauth2/v2/auth?${query}`)).text();
    expect(page).toContain('Control app asks for access to a mailbox');
    expect(page).toContain('value="ben@control.test"');
  });

  it('end tokens of an account', async () => {
    await cloud().control('POST', '/mailbox-providers/google/accounts', { address: 'cleo@control.test' });
    const path = '/mailbox-providers/google/accounts/cleo@control.test';
    expect(await cloud().control('POST', `${path}/revoke`, {})).toEqual({ tokens: 0 });
    expect(await cloud().control('POST', `${path}/expire`, {})).toEqual({ tokens: 0 });
  });

  it('put mail into folders of both providers and move it', async () => {
    for (const provider of ['google', 'microsoft']) {
      const accounts = `/mailbox-providers/${provider}/accounts`;
      await cloud().control('POST', accounts, { address: 'dora@control.test' });
      const messages = `${accounts}/dora@control.test/messages`;
      await cloud().control('POST', messages, { raw: 'Subject: Draft\r\n\r\n', folder: 'drafts' });
      await cloud().control('POST', messages, { raw: 'Subject: Spam\r\n\r\n', folder: 'spam' });
      const listed = async () =>
        (await cloud().control<{ data: { id: string; subject: string; folder: string }[] }>('GET', messages))
          .data;
      const [spam] = await listed();
      await cloud().control('POST', `${messages}/${encodeURIComponent(spam?.id ?? '')}/move`, {
        folder: 'inbox',
      });
      expect((await listed()).map(({ subject, folder }) => [subject, folder])).toEqual([
        ['Spam', 'inbox'],
        ['Draft', 'drafts'],
      ]);
      await cloud().control('POST', `${accounts}/dora@control.test/forget-history`, {});
      await cloud().control('DELETE', `${messages}/${encodeURIComponent(spam?.id ?? '')}`);
      expect(await listed()).toHaveLength(1);
    }
  });

  it('hold and drop pushes', async () => {
    const path = '/mailbox-providers/microsoft/pushes';
    await cloud().control('POST', path, { hold: true });
    expect(await cloud().control('GET', path)).toEqual({ data: [] });
    expect(await cloud().control('POST', path, { drop: true, hold: false })).toEqual({
      dropped: 0,
      released: 0,
    });
  });
});
