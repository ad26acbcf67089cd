/** What time and erasure do to links and sessions. */
import { describe, expect, it } from 'vitest';
import { createLinkFor } from '../../../lib/services/console/sign-in.ts';
import { eraseWorkspace } from '../../../lib/services/workspaces/erase-workspace.ts';
import { api, apiInProcess } from '../../support/api.ts';
import { cloud } from '../../support/cloud.ts';
import { browser, consoleHeaders, newMember, ownOrigin, signedIn, tokenOf } from '../../support/console.ts';
import { captureLog } from '../../support/log-lines.ts';
import { type TestWorkspace, workspace } from '../../support/workspace.ts';

const enter = (token: string) => api(null).post('/console/enter', { token }, consoleHeaders());
const login = (email: string) => api(null).post('/console/login', { email }, consoleHeaders());
const linkOf = async ({ id }: TestWorkspace, email: string) =>
  (await createLinkFor(id, email, ownOrigin()))?.url.split('#')[1] ?? '';

describe('time', () => {
  it('ends a link after 15 minutes and a session after 12 hours, however it is used', async () => {
    const ours = await workspace();
    const email = await newMember(ours, 'owner');
    const [early, late] = [await linkOf(ours, email), await linkOf(ours, email)];
    await cloud().advance(14 * 60 + 50);
    const session = browser(tokenOf(await enter(early)));
    await cloud().advance(11);
    expect((await enter(late)).status).toBe(401);
    for (let hours = 0; hours < 11; hours++) {
      await cloud().advance(3600);
      expect((await session.get('/threads')).status).toBe(200);
    }
    await cloud().advance(3600);
    expect((await session.get('/threads')).status).toBe(401);
    expect((await session.get('/console/session')).status).toBe(401);
  });

  it('lets five links of an address go in 15 minutes, and answers the others alike', async () => {
    const ours = await workspace();
    const email = await newMember(ours, 'owner');
    const answers = [];
    for (let at = 0; at < 8; at++) answers.push(await login(email));
    expect(new Set(answers.map(({ status, body }) => JSON.stringify([status, body]))).size).toBe(1);
    await cloud().waitForQuiescence();
    expect((await cloud().sentTo(email)).length).toBe(5);
    await cloud().advance(15 * 60);
    await login(email);
    await cloud().waitForQuiescence();
    expect((await cloud().sentTo(email)).length).toBe(6);
  });
});

describe('an erased workspace', () => {
  it('refuses sessions and links at once, and leaves nothing of them', async () => {
    const ours = await workspace();
    const owner = await signedIn(ours, 'owner');
    const link = await linkOf(ours, owner.email);
    await eraseWorkspace(ours, 'workspace erase');
    expect((await owner.get('/threads')).status).toBe(401);
    expect((await owner.get('/console/session')).status).toBe(401);
    expect((await enter(link)).status).toBe(401);
    await login(owner.email);
    await cloud().waitForQuiescence();
    expect(await cloud().sentTo(owner.email)).toEqual([]);
  });
});

describe('logs', () => {
  it('have neither tokens nor addresses', async () => {
    const ours = await workspace();
    const log = captureLog();
    const owner = await signedIn(ours, 'owner', apiInProcess);
    const link = await linkOf(ours, owner.email);
    for (let at = 0; at < 7; at++) await owner.post('/console/login', { email: owner.email });
    for (let at = 0; at < 2; at++) await owner.post('/console/enter', { token: link });
    await owner.post('/spaces', { name: 'A' }, { origin: 'null' });
    await owner.delete('/console/session');
    await cloud().waitForQuiescence();
    expect(log.map(({ event }) => event)).toContain('login.limited');
    const lines = JSON.stringify(log);
    for (const secret of [owner.token, link, owner.email, owner.token.split('.')[2] ?? '']) {
      expect(lines).not.toContain(secret);
    }
  });
});
