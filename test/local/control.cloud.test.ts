import { Resolver } from 'node:dns/promises';
import { describe, expect, it } from 'vitest';
import { timestamp } from '../../lib/adapters/clock.ts';
import { api } from '../support/api.ts';
import { cloud } from '../support/cloud.ts';
import { workspace } from '../support/workspace.ts';

describe('the control routes', () => {
  it('are listed', async () => {
    const { routes } = await cloud().control<{ routes: string[] }>('GET', '/');
    expect(routes).toContain('GET /queues  Returns the depth of every queue.');
  });

  it('return mail submitted to SES: raw, wire, envelope and tags', async () => {
    const own = await workspace();
    const from = `hi@${own.providedDomain}`;
    const to = `anna@${own.slug}.example.test`;
    const { body: email } = await api(own).post('/emails', { from, to: [to], subject: 'Hello', text: 'Hi' });
    await cloud().waitForQuiescence();
    const [sent, ...more] = await cloud().sentTo(to);
    expect([sent, more]).toEqual([
      expect.objectContaining({
        from,
        recipients: [to],
        region: 'us-east-1',
        configurationSet: 'parley',
        tags: { workspace: own.id, email_id: email.id, chunk: '0' },
      }),
      [],
    ]);
    const { raw, wire, message_id } = await cloud().sent(sent?.id ?? '');
    expect(raw).toMatch(new RegExp(`^Message-ID:\\s+<${email.id}@${own.providedDomain}>`, 'm'));
    expect(wire).toContain(`Message-ID: ${message_id}`);
  });

  it('add and remove DNS records', async () => {
    const name = `${(await workspace()).slug}.test`;
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${cloud().dnsPort}`]);
    await cloud().control('POST', '/dns', { type: 'TXT', name, value: 'hello' });
    expect(await resolver.resolveTxt(name)).toEqual([['hello']]);
    await cloud().control('POST', '/dns/faults', { name, fault: 'SERVFAIL' });
    await expect(resolver.resolveTxt(name)).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await cloud().control('POST', '/dns/faults', { name, fault: null });
    expect(await cloud().control('DELETE', '/dns', { name })).toEqual({ removed: 1 });
    await expect(resolver.resolveTxt(name)).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('inject faults into AWS calls', async () => {
    const own = await workspace();
    const fault = {
      service: 'dynamodb',
      action: 'GetItem',
      kind: 'error',
      match: own.id,
      code: 'ValidationException',
    };
    const { id } = await cloud().control<{ id: string }>('POST', '/faults', fault);
    const { data } = await cloud().control<{ data: unknown[] }>('GET', '/faults');
    expect(data).toContainEqual({ ...fault, id, times: 1, skip: 0 });
    const path = `/spaces/spc_${'0'.repeat(32)}`;
    expect([(await api(own).get(path)).status, (await api(own).get(path)).status]).toEqual([500, 404]);
  });

  it('return queues and their messages', async () => {
    const queues = await cloud().control<Record<string, unknown>>('GET', '/queues');
    expect(queues['parley-mail-dead-letters']).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
    expect(await cloud().control('GET', '/queues/parley-mail-dead-letters/messages')).toEqual({ data: [] });
  });

  it('list the failures of functions since a time', async () => {
    const own = await workspace();
    const since = timestamp();
    const problems = async () => {
      const path = `/problems?since=${since}`;
      const { data } = await cloud().control<{ data: { source: string; text: string }[] }>('GET', path);
      return data.filter(({ source }) => source === 'parley-api-spaces-retrieve').map(({ text }) => text);
    };
    const path = `/spaces/spc_${'0'.repeat(32)}`;
    expect((await api(own).get(path)).status).toBe(404);
    expect(await problems()).toEqual([]);
    const fault = { service: 'dynamodb', action: 'GetItem', kind: 'kill-before', match: own.id };
    await cloud().control('POST', '/faults', fault);
    expect((await api(own).get(path)).status).toBe(500);
    expect(await problems()).toEqual(['Runtime exited with error: exit status 1']);
  });

  it.each([
    ['GET', '/nothing', undefined, 'no control route GET /nothing'],
    ['GET', '/queues/nothing/messages', undefined, 'there is no queue nothing'],
    ['GET', '/problems?since=now', undefined, 'since is no RFC 3339 time'],
    ['POST', '/clock', { forward: 1 }, 'Invalid input'],
    ['POST', '/clock', { advance_seconds: -1 }, 'Too small'],
    ['POST', '/clock', { advance_seconds: 400 * 86_400 + 1 }, 'Too big'],
    ['POST', '/clock', { advance_seconds: 100 * 400 * 86_400 }, 'Too big'],
    ['POST', '/clock', { advance_seconds: 1e300 }, 'Too big'],
    ['POST', '/faults', { service: 'sqs' }, 'action'],
    ['POST', '/faults', { service: 'sqs', action: '*Send*', kind: 'throttle' }, 'is a name, or * for any'],
  ] as const)('return an error for %s %s %j', async (method, path, body, message) => {
    await expect(cloud().control(method, path, body)).rejects.toThrow(message);
  });
});
