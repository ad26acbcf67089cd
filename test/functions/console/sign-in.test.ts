/** Signing in to the console, as a browser does it (docs/concepts/members.md). */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createLinkFor } from '../../../lib/services/console/sign-in.ts';
import { api } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { browser, consoleHeaders, newMember, ownOrigin, signedIn, tokenOf } from '../../support/console.ts';
import { workspace } from '../../support/workspace.ts';

const enter = (token: string, headers: Record<string, string> = consoleHeaders()) =>
  api(null).post('/console/enter', { token }, headers);
const login = (email: string, headers: Record<string, string> = consoleHeaders()) =>
  api(null).post('/console/login', { email }, headers);

async function linkOf(ours: Parameters<typeof newMember>[0], email: string): Promise<string> {
  const link = await createLinkFor(ours.id, email, ownOrigin());
  return link?.url.split('#')[1] ?? '';
}

describe('a sign-in link', () => {
  it('is mailed to a member for each workspace, shows where it leads, and signs in once', async () => {
    const [ours, other] = [await workspace(), await workspace({ name: '<b>"Other" & Co</b>' })];
    const email = await newMember(ours, 'admin');
    const { addMember } = await import('../../../lib/services/workspaces/workspaces.ts');
    await addMember(other.id, { email: email.toUpperCase(), role: 'viewer', outageMail: false });
    const answer = await login(` ${email} `);
    expect([answer.status, answer.body]).toEqual([
      202,
      { detail: 'If the address belongs to a member, a mail with a link is on its way.' },
    ]);
    await cloud().waitForQuiescence();
    const [mail, ...more] = await cloud().sentTo(email);
    expect(more).toEqual([]);
    const { raw } = await cloud().sent(mail?.id ?? '');
    const text = raw.replaceAll('=\r\n', '').replaceAll('=3D', '=');
    const urls = new Set(
      [...text.matchAll(/http:\/\/[^\s"#]+\/console\/enter#([\w.-]+)/g)].map(([, token]) => token),
    );
    expect(urls.size).toBe(2);
    expect(text).toContain('&lt;b&gt;&quot;Other&quot; &amp; Co&lt;/b&gt;');
    const [first = '', second = ''] = [...urls];
    const previews = await Promise.all(
      [first, second].map((token) =>
        api(null).post('/console/enter?preview=true', { token }, consoleHeaders()),
      ),
    );
    expect(new Set(previews.map(({ body }) => Object(body.workspace).id))).toEqual(
      new Set([ours.id, other.id]),
    );
    const entered = await enter(first);
    expect([entered.status, entered.body]).toEqual([204, null]);
    expect(entered.headers['set-cookie']).toMatch(
      /^parley_session=[\w.-]+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
    expect((await enter(first)).status).toBe(401);
    const session = await browser(tokenOf(entered)).get('/console/session');
    expect(session.status).toBe(200);
    expect(session.body).toMatchObject({ role: expect.any(String), workspace: { id: expect.any(String) } });
  });

  it('signs in one of twenty who use it at the same time', async () => {
    const ours = await workspace();
    const token = await linkOf(ours, await newMember(ours, 'owner'));
    const answers = await Promise.all(Array.from({ length: 20 }, () => enter(token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(401)]);
  });

  it('is refused where it is forged, cut, or of another kind', async () => {
    const ours = await workspace();
    const email = await newMember(ours, 'owner');
    const token = await linkOf(ours, email);
    const { token: session } = await signedIn(ours, 'viewer');
    const [workspaceHex, address] = token.split('.');
    const forged = [
      '',
      'x'.repeat(5000),
      token.slice(0, -1),
      `${token}A`,
      `${workspaceHex}.${address}.${'A'.repeat(43)}`,
      `${'0'.repeat(32)}.${address}.${token.split('.')[2]}`,
      session,
    ];
    for (const one of forged) expect((await enter(one)).status).toBe(401);
    expect((await browser(token).get('/console/session')).status).toBe(401);
    expect((await enter(token)).status).toBe(204);
  });
});

describe('a request for links', () => {
  it('is answered alike for members and strangers, and mails strangers nothing', async () => {
    const ours = await workspace();
    const [email, stranger] = [await newMember(ours, 'owner'), `s-${randomUUID()}@people.example.test`];
    const answers = await Promise.all([login(email), login(stranger)]);
    const shape = answers.map(({ status, body, headers }) => [status, body, Object.keys(headers)]);
    expect(shape[0]).toEqual(shape[1]);
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(stranger)).toEqual([]);
    expect(await cloud().sentTo(email)).toHaveLength(1);
  });

  it('is refused for what is no address', async () => {
    for (const email of ['', 'nobody', `${'a'.repeat(400)}@example.test`, 5, null]) {
      expect((await api(null).post('/console/login', { email }, consoleHeaders())).status).toBe(422);
    }
  });
});

describe('a session', () => {
  it('calls operations as its role may, beside which a key counts first', async () => {
    const ours = await workspace();
    const viewer = await signedIn(ours, 'viewer');
    expect((await viewer.get('/threads')).status).toBe(200);
    const refused = await viewer.post('/spaces', { name: 'A' });
    expect([refused.status, refused.body.code, refused.body.detail]).toEqual([
      403,
      'forbidden',
      'This operation needs the scope "full"; the role "viewer" has the scope "read".',
    ]);
    const withKey = await viewer.post('/spaces', { name: 'A' }, { authorization: `Bearer ${ours.key}` });
    expect(withKey.status).toBe(201);
    const withWrongKey = await viewer.request('GET', '/threads', {
      headers: { authorization: 'Bearer pk_no' },
    });
    expect(withWrongKey.status).toBe(401);
    expect((await viewer.get('/api/v1/threads/search')).status).not.toBe(200);
  });

  it('changes nothing without the header of the console and its own origin', async () => {
    const ours = await workspace();
    const owner = await signedIn(ours, 'owner');
    const foreign: Record<string, string>[] = [
      { 'x-console-request': '' },
      { 'x-console-request': 'true' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: '' },
      { origin: `${ownOrigin()}.evil.example` },
      { origin: ownOrigin().replace('http:', 'https:') },
    ];
    for (const headers of foreign) {
      const answers = [
        await owner.post('/spaces', { name: 'A' }, headers),
        await owner.request('DELETE', '/console/session', { headers }),
        await login(owner.email, { ...consoleHeaders(), ...headers }),
        await enter('x', { ...consoleHeaders(), ...headers }),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        Array(4).fill([403, 'forbidden']),
      );
    }
    expect((await owner.get('/spaces')).body.data).toEqual([]);
    const cookie = { cookie: `parley_session=${owner.token}` };
    expect((await api(null).request('GET', '/spaces', { headers: cookie })).status).toBe(200);
    expect(
      (await api(null).request('POST', '/spaces', { headers: cookie, body: { name: 'A' } })).status,
    ).toBe(403);
  });

  it('never is one that the browser brought along', async () => {
    const ours = await workspace();
    const email = await newMember(ours, 'owner');
    const planted = (await signedIn(ours, 'viewer')).token;
    const token = await linkOf(ours, email);
    const entered = await browser(planted).post('/console/enter', { token });
    expect(entered.status).toBe(204);
    expect(tokenOf(entered)).not.toBe(planted);
    expect((await browser(planted).get('/console/session')).body.role).toBe('viewer');
  });

  it('ends with sign-out, here or everywhere with the links on their way', async () => {
    const ours = await workspace();
    const here = await signedIn(ours, 'owner');
    const [there = '', third = '', late = ''] = [
      await linkOf(ours, here.email),
      await linkOf(ours, here.email),
      await linkOf(ours, here.email),
    ];
    const other = browser(tokenOf(await enter(there)));
    const out = await browser(tokenOf(await enter(third))).delete('/console/session');
    expect([out.status, out.headers['set-cookie']]).toEqual([
      204,
      'parley_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
    expect((await other.get('/console/session')).status).toBe(200);
    await here.delete('/console/session?everywhere=true');
    expect((await other.get('/console/session')).status).toBe(401);
    expect((await here.get('/threads')).status).toBe(401);
    expect((await enter(late)).status).toBe(401);
    expect((await enter(await linkOf(ours, here.email))).status).toBe(204);
  });
});
