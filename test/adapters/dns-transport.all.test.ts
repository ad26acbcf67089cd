/** Look-ups over UDP and TCP: truncation, lost and hostile responses, lame servers, aliases. */
import { afterEach, describe, expect, it } from 'vitest';
import { createLookup } from '../../lib/adapters/dns.ts';
import { startDns } from '../../lib/local/dns/server.ts';
import type { ZoneRecord } from '../../lib/local/dns/zone.ts';
import {
  type NameServer,
  type Query,
  type Response,
  reply,
  startNameServer,
  truncated,
} from './name-server.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function serve(respond: (query: Query) => Response): Promise<NameServer> {
  const server = await startNameServer(respond);
  closing.push(server.close);
  return server;
}

const lookupAt = (servers: readonly string[], timeoutMs = 1000) =>
  createLookup({ servers, timeoutMs, authority: null });

/** Look-ups in a zone that the local DNS server serves. */
async function zone(...records: ZoneRecord[]) {
  const dns = await startDns({ port: 0 });
  closing.push(dns.close);
  for (const record of records) dns.publish(record);
  return { dns, lookup: lookupAt([`127.0.0.1:${dns.port}`]) };
}

const txt = (name: string, value: ZoneRecord['value']): ZoneRecord => ({ type: 'TXT', name, value });
const cname = (name: string, value: string): ZoneRecord => ({ type: 'CNAME', name, value });
const found = (...values: unknown[]) => ({ status: 'found', values, ms: expect.any(Number) });
const failed = { status: 'failed', values: [], ms: expect.any(Number) };

describe('a look-up', () => {
  it('asks again over TCP when the response over UDP is truncated', async () => {
    const server = await serve((query) =>
      query.transport === 'udp'
        ? [truncated(query)]
        : [reply(query, [{ type: 'TXT', name: query.question.name, data: 'whole' }])],
    );
    expect(await lookupAt([server.address]).txt('acme.test')).toEqual(found('whole'));
    expect(server.asked).toEqual(['udp', 'tcp']);
  });

  it('returns all records when the response has nearly 64 KB', async () => {
    const values = Array.from(
      { length: 200 },
      (_, at) => `${String(at).padStart(3, '0')} ${'x'.repeat(250)}`,
    );
    const { lookup } = await zone(...values.map((value) => txt('huge.test', value)));
    const answer = await lookup.txt('huge.test');
    expect([...answer.values].sort()).toEqual(values);
  });

  it('joins the strings of a record as they are when they are empty, short or of 255 octets', async () => {
    const strings = ['', 'a', 'x'.repeat(255), ' b ', ''];
    const { lookup } = await zone(txt('split.test', strings));
    expect(await lookup.txt('split.test')).toEqual(found(strings.join('')));
  });

  it('asks the same name when it is written with a final dot or in upper case', async () => {
    const { lookup } = await zone(
      txt('acme.test', 'v=spf1 -all'),
      { type: 'MX', name: 'acme.test', value: 'MX.Acme.Test.', priority: 5 },
      { type: 'MX', name: 'null.test', value: '.', priority: 0 },
    );
    expect(await lookup.txt('acme.test.')).toEqual(found('v=spf1 -all'));
    expect(await lookup.txt('ACME.Test')).toEqual(found('v=spf1 -all'));
    expect(await lookup.mx('acme.test')).toEqual(found({ exchange: 'MX.Acme.Test', priority: 5 }));
    expect(await lookup.mx('null.test')).toEqual(found({ exchange: '', priority: 0 }));
  });

  it('accepts a response that repeats the question in another case', async () => {
    const server = await serve((query) => {
      const name = query.question.name.toUpperCase();
      return [
        reply(query, [{ type: 'TXT', name, data: 'found' }], { questions: [{ ...query.question, name }] }),
      ];
    });
    expect(await lookupAt([server.address]).txt('acme.test')).toEqual(found('found'));
  });

  it('follows a chain of CNAME records', async () => {
    const { lookup } = await zone(
      cname('a.test', 'B.Test'),
      cname('b.test', 'c.test.'),
      cname('c.test', 'd.test'),
      txt('d.test', 'end'),
    );
    expect(await lookup.txt('a.test')).toEqual(found('end'));
    expect(await lookup.cname('a.test')).toEqual(found('B.Test'));
  });

  it('finds no record when CNAME records lead nowhere or in a circle', async () => {
    const { lookup } = await zone(
      cname('dangling.test', 'absent.test'),
      cname('a.test', 'b.test'),
      cname('b.test', 'a.test'),
    );
    expect((await lookup.txt('dangling.test')).status).toBe('nxdomain');
    expect(await lookup.txt('a.test')).toEqual(failed);
    const circle = await serve((query) => [
      reply(query, [
        { type: 'CNAME', name: 'a.test', data: 'b.test' },
        { type: 'CNAME', name: 'b.test', data: 'a.test' },
      ]),
    ]);
    expect(await lookupAt([circle.address]).txt('a.test')).toMatchObject({ values: [] });
  });

  it.each([
    ['SERVFAIL', 2],
    ['NOTIMP', 4],
    ['REFUSED, as a lame server does', 5],
  ])('asks the next server when one answers %s, and fails when all do', async (_, rcode) => {
    const lame = await serve((query) => [reply(query, [], { flags: rcode })]);
    const good = await serve((query) => [
      reply(query, [{ type: 'TXT', name: query.question.name, data: 'found' }]),
    ]);
    expect(await lookupAt([lame.address, good.address]).txt('acme.test')).toEqual(found('found'));
    expect(await lookupAt([lame.address]).txt('acme.test')).toEqual(failed);
  });

  it('asks the next server when one does not answer', async () => {
    const silent = await serve(() => []);
    const good = await serve((query) => [
      reply(query, [{ type: 'TXT', name: query.question.name, data: 'found' }]),
    ]);
    expect(await lookupAt([silent.address, good.address], 250).txt('acme.test')).toEqual(found('found'));
  });

  it.each<[string, (query: Query) => Response]>([
    ['nobody answers', () => []],
    [
      'TCP does not answer after a truncated response',
      (query) => (query.transport === 'udp' ? [truncated(query)] : []),
    ],
    [
      'the server closes the TCP connection',
      (query) => (query.transport === 'udp' ? [truncated(query)] : 'close'),
    ],
    ['the response is truncated over TCP, too', (query) => [truncated(query)]],
    ['the response is no DNS message', () => [Buffer.from('HTTP/1.1 200 OK\r\n\r\n')]],
    ['a name in the response points to itself', (query) => [selfPointer(query)]],
  ])('ends with `failed` or no record in bounded time when %s', async (_, respond) => {
    const server = await serve(respond);
    const { status, values, ms } = await lookupAt([server.address], 250).txt('acme.test');
    expect(status).toBeOneOf(['failed', 'none']);
    expect(values).toEqual([]);
    // Two tries of 250 ms and a little longer, each over UDP and TCP.
    expect(ms).toBeLessThan(3000);
  });

  it('ignores a response with another id or another question', async () => {
    const server = await serve((query) => {
      const forged = { type: 'TXT', name: query.question.name, data: 'forged' } as const;
      const other = { ...forged, name: 'other.test' };
      return [
        reply(query, [forged], { id: ((query.packet.id ?? 0) + 1) % 65_536 }),
        reply(query, [other], { questions: [{ ...query.question, name: 'other.test' }] }),
        reply(query, [{ ...forged, data: 'right' }]),
      ];
    });
    expect(await lookupAt([server.address]).txt('acme.test')).toEqual(found('right'));
  });
});

/** A TXT response whose record has a name that is a compression pointer to itself (RFC 1035, 4.1.4). */
function selfPointer(query: Query): Buffer {
  const message = reply(query, []);
  message.writeUInt16BE(1, 6);
  const pointer = Buffer.alloc(12);
  pointer.writeUInt16BE(0xc000 | message.length, 0);
  pointer.writeUInt16BE(16, 2);
  pointer.writeUInt16BE(1, 4);
  return Buffer.concat([message, pointer]);
}
