/** Targets that must not be reached, against real sockets and a real DNS server. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { webhookUrl } from '../../lib/core/webhooks/public-address.ts';
import { type LocalDns, startDns } from '../../lib/local/dns/server.ts';
import { refusedAddresses, refusedUrls } from '../support/refused-targets.ts';
import { httpReceiver, post } from './receivers.ts';

/** A DNS server and the options that make the client use it. */
async function dnsServer(): Promise<{ dns: LocalDns; asking: { dnsServers: string[] } }> {
  const dns = await startDns({ port: 0 });
  onTestFinished(() => dns.close());
  return { dns, asking: { dnsServers: [`127.0.0.1:${dns.port}`] } };
}

/** A receiver that counts its requests. */
async function countingReceiver(): Promise<{ port: number; count: () => number }> {
  let count = 0;
  const port = await httpReceiver((_request, response) => {
    count++;
    response.end('reached');
  });
  return { port, count: () => count };
}

const nothing = { statusCode: null, response: null, retryAfter: null };
const notPublic = 'the host does not resolve to public addresses only';

describe('a URL that is refused by its text', () => {
  it.each(refusedUrls)('is not requested: %s', async (url) => {
    const resolve = () => Promise.reject(new Error('looked up'));
    const { error, ...result } = await post(url, { resolve, allowInsecure: false });
    expect(result).toMatchObject(nothing);
    expect(error).toMatch(/^URL must /);
  });

  it('is not requested when a receiver redirects to it', async () => {
    let location = '';
    const port = await httpReceiver((_request, response) =>
      response.writeHead(308, { Location: location }).end('a secret of the first receiver'),
    );
    // The first hop is on this machine: what loopback receivers allow is no target to refuse.
    const isRefused = (url: string) => typeof webhookUrl(url, { allowInsecure: true }) === 'string';
    const targets = refusedUrls.filter((url) => URL.canParse(url) && isRefused(url));
    expect(targets.length).toBeGreaterThan(40);
    for (location of targets) {
      const { error, ...result } = await post(`http://127.0.0.1:${port}/`);
      expect(result, location).toMatchObject(nothing);
      expect(error, location).toMatch(/^redirect target must /);
    }
  });
});

describe('a host', () => {
  it.each(refusedAddresses)('is not connected to when its %s record is %s', async (type, value) => {
    const { dns, asking } = await dnsServer();
    dns.publish({ name: 'hooks.acme.dev', type, value });
    expect(await post('https://hooks.acme.dev:8443/', { ...asking, allowInsecure: false })).toMatchObject({
      ...nothing,
      error: notPublic,
    });
  });

  it.each([
    ['A', '93.184.215.14', 'A', '10.0.0.1'],
    ['A', '93.184.215.14', 'AAAA', '::1'],
    ['AAAA', '2606:4700::1', 'A', '169.254.169.254'],
  ] as const)(
    'is not connected to when it has %s %s and also %s %s',
    async (type, value, otherType, other) => {
      const { dns, asking } = await dnsServer();
      dns.publish({ name: 'hooks.acme.dev', type, value });
      dns.publish({ name: 'hooks.acme.dev', type: otherType, value: other });
      expect(await post('https://hooks.acme.dev/', { ...asking, allowInsecure: false })).toMatchObject({
        ...nothing,
        error: notPublic,
      });
    },
  );

  it('is not connected to when an alias leads to an address that is not public', async () => {
    const { dns, asking } = await dnsServer();
    dns.publish({ name: 'hooks.acme.dev', type: 'CNAME', value: 'inside.acme.dev' });
    dns.publish({ name: 'inside.acme.dev', type: 'A', value: '192.168.0.1' });
    expect(await post('https://hooks.acme.dev/', { ...asking, allowInsecure: false })).toMatchObject({
      ...nothing,
      error: notPublic,
    });
  });

  it('is connected to at the address that was checked when its records change at once', async () => {
    const { dns, asking } = await dnsServer();
    const { port, count } = await countingReceiver();
    dns.publish({ name: 'rebind.acme.dev', type: 'A', value: '127.0.0.1' });
    const first = post(`http://rebind.acme.dev:${port}/`, asking);
    expect((await first).response).toBe('reached');
    dns.remove({ name: 'rebind.acme.dev' });
    dns.publish({ name: 'rebind.acme.dev', type: 'A', value: '10.0.0.1' });
    expect(await post(`http://rebind.acme.dev:${port}/`, asking)).toMatchObject({
      ...nothing,
      error: notPublic,
    });
    expect(count()).toBe(1);
  });

  it('is looked up again when a receiver redirects to it', async () => {
    const { dns, asking } = await dnsServer();
    const { port: target, count } = await countingReceiver();
    dns.publish({ name: 'start.acme.dev', type: 'A', value: '127.0.0.1' });
    dns.publish({ name: 'inside.acme.dev', type: 'A', value: '10.0.0.1' });
    const port = await httpReceiver((_request, response) =>
      response.writeHead(307, { Location: `http://inside.acme.dev:${target}/` }).end('first'),
    );
    expect(await post(`http://start.acme.dev:${port}/`, asking)).toMatchObject({
      ...nothing,
      error: notPublic,
    });
    expect(count()).toBe(0);
  });

  it('is connected to by IPv4 when its AAAA query fails, and by the address that answers when it has several', async () => {
    const { dns, asking } = await dnsServer();
    const { port } = await countingReceiver();
    for (const value of ['127.0.0.2', '127.0.0.1']) dns.publish({ name: 'two.acme.dev', type: 'A', value });
    expect(await post(`http://two.acme.dev:${port}/`, asking)).toMatchObject({ statusCode: 200 });
  });

  it('is an error when no name server answers for it', async () => {
    const { dns, asking } = await dnsServer();
    dns.fault('servfail.acme.dev', 'SERVFAIL');
    dns.fault('silent.acme.dev', 'timeout');
    const failed = { ...nothing, error: 'host lookup failed' };
    expect(await post('http://servfail.acme.dev/', asking)).toMatchObject(failed);
    expect(await post('http://silent.acme.dev/', { ...asking, timeoutMs: 100 })).toMatchObject({
      ...nothing,
      error: 'timed out after 0.1 s',
    });
    expect(await post('http://missing.acme.dev/', asking)).toMatchObject({
      ...nothing,
      error: 'host not found',
    });
  });

  it('is this machine when its name is localhost and loopback receivers are allowed', async () => {
    const { asking } = await dnsServer();
    const { port } = await countingReceiver();
    for (const name of ['localhost', 'hooks.localhost']) {
      expect(await post(`http://${name}:${port}/`, asking)).toMatchObject({ statusCode: 200 });
    }
  });
});
