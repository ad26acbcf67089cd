import { createSocket } from 'node:dgram';
import { promises } from 'node:dns';
import { decode, encode, type Packet } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { startDns } from '../../../lib/local/dns/server.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

async function setUp() {
  const dns = await startDns({ port: 0 });
  closing.push(dns.close);
  const resolverWith = (timeout: number) => {
    const resolver = new promises.Resolver({ timeout, tries: 1 });
    resolver.setServers([`127.0.0.1:${dns.port}`]);
    return resolver;
  };
  return { dns, resolver: resolverWith(20_000), hasty: resolverWith(50) };
}

/** The response to one datagram. */
async function ask(port: number, bytes: Buffer): Promise<Packet> {
  const socket = createSocket('udp4');
  const answer = new Promise<Buffer>((resolve) => socket.once('message', resolve));
  socket.send(bytes, port, '127.0.0.1');
  const decoded = decode(await answer);
  await new Promise<void>((resolve) => socket.close(resolve));
  return decoded;
}

describe('startDns', () => {
  it('answers every record type in use', async () => {
    const { dns, resolver } = await setUp();
    dns.publish({ type: 'A', name: 'e.test', value: '192.0.2.1' });
    dns.publish({ type: 'AAAA', name: 'e.test', value: '2001:db8::1' });
    dns.publish({ type: 'MX', name: 'e.test', value: 'mx.e.test', priority: 5 });
    dns.publish({ type: 'MX', name: 'null.test', value: '.', priority: 0 });
    dns.publish({ type: 'TXT', name: 'e.test', value: ['one', 'two'] });
    dns.publish({ type: 'TXT', name: 'e.test', value: 'v=spf1 ~all' });
    dns.publish({ type: 'NS', name: 'e.test', value: 'ns.e.test' });
    dns.publish({ type: 'SOA', name: 'e.test', value: 'ns.e.test admin.e.test 7 60 60 60 60' });
    dns.publish({ type: 'CNAME', name: 'www.e.test', value: 'e.test' });
    expect(await resolver.resolve4('www.E.test')).toEqual(['192.0.2.1']);
    expect(await resolver.resolve6('e.test')).toEqual(['2001:db8::1']);
    expect(await resolver.resolveMx('e.test')).toMatchObject([{ exchange: 'mx.e.test', priority: 5 }]);
    expect(await resolver.resolveMx('null.test')).toMatchObject([{ exchange: '', priority: 0 }]);
    expect(await resolver.resolveTxt('e.test')).toEqual([['one', 'two'], ['v=spf1 ~all']]);
    expect(await resolver.resolveNs('e.test')).toEqual(['ns.e.test']);
    expect(await resolver.resolveSoa('e.test')).toMatchObject({ nsname: 'ns.e.test', serial: 7 });
    expect(await resolver.resolveCname('www.e.test')).toEqual(['e.test']);
  });

  it('distinguishes NXDOMAIN from NODATA', async () => {
    const { dns, resolver } = await setUp();
    dns.publish({ type: 'SOA', name: 'e.test', value: 'ns.e.test admin.e.test 7 60 60 60 60' });
    await expect(resolver.resolveTxt('e.test')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(resolver.resolveTxt('no.e.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('fails queries for a name until the fault is removed', async () => {
    const { dns, resolver, hasty } = await setUp();
    dns.publish({ type: 'TXT', name: 'e.test', value: 'x' });
    dns.fault('E.test', 'SERVFAIL');
    await expect(resolver.resolveTxt('e.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await expect(dns.resolver.txt('e.test')).rejects.toMatchObject({ code: 'ESERVFAIL' });
    dns.fault('e.test', 'REFUSED');
    await expect(resolver.resolveTxt('e.test')).rejects.toMatchObject({ code: 'EREFUSED' });
    await expect(dns.resolver.txt('e.test')).rejects.toMatchObject({ code: 'EREFUSED' });
    dns.fault('e.test', 'timeout');
    await expect(hasty.resolveTxt('e.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    await expect(dns.resolver.txt('e.test')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    dns.fault('e.test', null);
    expect(await resolver.resolveTxt('e.test')).toEqual([['x']]);
  });

  it('answers long responses over TCP, with TXT strings of 255 octets', async () => {
    const { dns, resolver } = await setUp();
    const long = 'k'.repeat(5000);
    dns.publish({ type: 'TXT', name: 'long.test', value: long });
    const [strings = []] = await resolver.resolveTxt('long.test');
    expect(strings.join('')).toBe(long);
    expect(strings[0]).toHaveLength(255);
  });

  it('resolves in process with the errors of node:dns', async () => {
    const { dns } = await setUp();
    dns.publish({ type: 'MX', name: 'e.test', value: 'mx.e.test', priority: 5 });
    expect(await dns.resolver.mx('e.test')).toEqual([{ exchange: 'mx.e.test', priority: 5 }]);
    await expect(dns.resolver.txt('e.test')).rejects.toMatchObject({ code: 'ENODATA' });
    await expect(dns.resolver.mx('no.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  });

  it('answers malformed queries with an error', async () => {
    const { dns, resolver } = await setUp();
    dns.publish({ type: 'A', name: 'e.test', value: '192.0.2.1' });
    const garbage = Buffer.concat([encode({ type: 'query', id: 7, questions: [] }), Buffer.alloc(3, 0xff)]);
    garbage.writeUInt16BE(2, 4);
    expect(await ask(dns.port, garbage)).toMatchObject({ id: 7, rcode: 'FORMERR' });
    const service = encode({ type: 'query', id: 8, questions: [{ type: 'SRV', name: 'e.test' }] });
    expect(await ask(dns.port, service)).toMatchObject({ id: 8, rcode: 'NOERROR', answers: [] });
    expect(await resolver.resolve4('e.test')).toEqual(['192.0.2.1']);
  });
});
