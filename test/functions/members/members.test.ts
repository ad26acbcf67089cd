/** The operations on members, by keys and by sessions (docs/concepts/members.md). */
import { describe, expect, it } from 'vitest';
import { memberRoles } from '../../../lib/core/access/access.ts';
import { memberId } from '../../../lib/core/workspaces/workspace.ts';
import { listAudit } from '../../../lib/storage/workspaces/audit.ts';
import { api } from '../../support/api.ts';
import { newMember, signedIn } from '../../support/console.ts';
import { workspace } from '../../support/workspace.ts';

describe('POST /members', () => {
  it('adds a member once, whatever the case of the address', async () => {
    const ours = await workspace();
    const email = `Anna@${ours.slug}.EXAMPLE`;
    const added = await api(ours).post('/members', { email, role: 'viewer' });
    expect([added.status, added.body]).toEqual([
      201,
      {
        id: memberId(email),
        email: `Anna@${ours.slug}.example`,
        role: 'viewer',
        outage_mail: true,
        created_at: expect.any(String),
      },
    ]);
    const again = await api(ours).post('/members', { email: email.toLowerCase(), role: 'admin' });
    expect([again.status, again.body.code]).toEqual([409, 'member_exists']);
    expect((await api(ours).get('/members')).body.data).toEqual([added.body]);
  });

  it('refuses what is no address or no role, and the 101st', async () => {
    const ours = await workspace();
    for (const body of [
      { email: 'Anna <anna@acme.dev>', role: 'viewer' },
      { email: 'anna', role: 'viewer' },
      { email: 'anna@acme.dev', role: 'root' },
      { email: 'anna@acme.dev' },
      { email: 'anna@acme.dev', role: 'viewer', id: 'mem_1' },
    ]) {
      expect((await api(ours).post('/members', body)).status, JSON.stringify(body)).toBe(422);
    }
    await Promise.all(Array.from({ length: 100 }, (_, at) => newMember(ours, 'viewer', `v${at}`)));
    const late = await api(ours).post('/members', { email: 'late@acme.dev', role: 'viewer' });
    expect([late.status, late.body.code]).toEqual([409, 'limit_reached']);
  });
});

describe('GET /members', () => {
  it('lists all by address, page by page', async () => {
    const ours = await workspace();
    for (const label of ['c', 'a', 'b']) await newMember(ours, 'viewer', label);
    const first = await api(ours).get('/members?limit=2');
    const second = await api(ours).get(`/members?limit=2&cursor=${first.body.next_cursor}`);
    expect([...first.body.data, ...second.body.data].map(({ email }) => String(email)[0])).toEqual([
      'a',
      'b',
      'c',
    ]);
    expect(second.body.next_cursor).toBeNull();
  });
});

describe('owners', () => {
  it('are made, changed and removed by owners alone', async () => {
    const ours = await workspace();
    const owner = await signedIn(ours, 'owner');
    const admin = await signedIn(ours, 'admin');
    const other = await newMember(ours, 'owner', 'other');
    const viewer = await newMember(ours, 'viewer');
    for (const caller of [admin, api(ours)]) {
      const answers = [
        await caller.post('/members', { email: `x@${ours.slug}.example`, role: 'owner' }),
        await caller.patch(`/members/${memberId(viewer)}`, { role: 'owner' }),
        await caller.patch(`/members/${memberId(other)}`, { role: 'viewer' }),
        await caller.delete(`/members/${memberId(other)}`),
      ];
      expect(answers.map(({ status, body }) => [status, body.code])).toEqual(
        Array(4).fill([403, 'forbidden']),
      );
    }
    expect((await admin.patch(`/members/${memberId(viewer)}`, { role: 'admin' })).status).toBe(200);
    expect((await owner.patch(`/members/${memberId(viewer)}`, { role: 'owner' })).status).toBe(200);
    expect((await owner.delete(`/members/${memberId(other)}`)).status).toBe(204);
  });

  it('keep one: the last is neither removed nor demoted, nor are two by each other', async () => {
    const ours = await workspace();
    const owner = await signedIn(ours, 'owner');
    const own = `/members/${memberId(owner.email)}`;
    for (const answer of [await owner.delete(own), await owner.patch(own, { role: 'admin' })]) {
      expect([answer.status, answer.body.code]).toEqual([409, 'last_owner']);
    }
    expect((await owner.patch(own, { outage_mail: false })).body).toMatchObject({
      role: 'owner',
      outage_mail: false,
    });
    const second = await newMember(ours, 'owner', 'second');
    const answers = await Promise.all([owner.delete(own), owner.delete(`/members/${memberId(second)}`)]);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1);
    const left = (await api(ours).get('/members')).body.data;
    expect(left.map(({ role }) => role)).toEqual(['owner']);
  });
});

describe('a session', () => {
  it('has the role of its member at each request, and ends with the membership', async () => {
    const ours = await workspace();
    const owner = await signedIn(ours, 'owner');
    const subject = await signedIn(ours, 'admin');
    const path = `/members/${memberId(subject.email)}`;
    for (const role of memberRoles) {
      await owner.patch(path, { role });
      const can = [
        (await subject.get('/threads')).status === 200,
        (await subject.post('/attachments', {})).status !== 403,
        (await subject.post('/spaces', {})).status !== 403,
      ];
      expect(can, role).toEqual([true, role !== 'viewer', role === 'owner' || role === 'admin']);
      expect((await subject.get('/console/session')).body.role).toBe(role);
    }
    await owner.delete(path);
    expect((await subject.get('/threads')).status).toBe(401);
    // A new membership is another one.
    await newMember(ours, 'admin');
    expect((await subject.get('/threads')).status).toBe(401);
  });

  it('is named in the audit log, also of the keys that it creates', async () => {
    const ours = await workspace();
    const admin = await signedIn(ours, 'admin');
    const key = await admin.post('/api-keys', { name: 'Mine', scope: 'full', allowed_ips: ['192.0.2.1'] });
    expect([key.status, key.body.allowed_ips]).toEqual([201, ['192.0.2.1']]);
    await admin.post('/members', { email: `v@${ours.slug}.example`, role: 'viewer' });
    await admin.delete('/console/session?everywhere=true');
    const { items } = await listAudit(ours.id, { limit: 4, after: null });
    expect(items.map(({ actor, action }) => [actor, action])).toEqual(
      ['member.signed_out_everywhere', 'member.added', 'key.created', 'member.signed_in'].map((action) => [
        `member:${admin.email}`,
        action,
      ]),
    );
  });
});
