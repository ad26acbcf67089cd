/** Look-ups against a name server of our own. */
import { createSocket } from 'node:dgram';
import { decode, encode, type Packet, type Question, type Answer as Record } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { createLookup } from '../../lib/adapters/dns.ts';

type Reply = { records: Record[]; rcode?: number } | null;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Serves what `answer` says on a free port; null leaves the question unanswered. */
async function nameServer(answer: (question: Question, asked: number) => Reply): Promise<string> {
  const socket = createSocket('udp4');
  let asked = 0;
  socket.on('message', (message, from) => {
    const query = decode(message);
    const question = query.questions?.[0];
    const reply = question === undefined ? null : answer(question, ++asked);
    if (reply === null) return;
    const packet: Packet = {
      type: 'response',
      id: query.id ?? 0,
      // The low four bits of the flags are the response code.
      flags: reply.rcode ?? 0,
      questions: query.questions ?? [],
      answers: reply.records,
    };
    socket.send(encode(packet), from.port, from.address);
  });
  closers.push(() => socket.close());
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  return `127.0.0.1:${socket.address().port}`;
}

const lookupAt = (server: string) => createLookup({ servers: [server], timeoutMs: 1000 });

describe('createLookup', () => {
  it('joins the strings of a TXT record without a separator', async () => {
    const server = await nameServer(({ name }) => ({
      records: [
        { type: 'TXT', name, data: ['v=DKIM1; p=AB', 'CD'] },
        { type: 'TXT', name, data: 'other' },
      ],
    }));
    expect(await lookupAt(server).txt('s1._domainkey.acme.test')).toEqual({
      status: 'found',
      values: ['v=DKIM1; p=ABCD', 'other'],
    });
  });

  it('gives MX records with the preferred one first', async () => {
    const server = await nameServer(({ name }) => ({
      records: [
        { type: 'MX', name, data: { exchange: 'b.test', preference: 20 } },
        { type: 'MX', name, data: { exchange: 'a.test', preference: 10 } },
      ],
    }));
    expect(await lookupAt(server).mx('acme.test')).toEqual({
      status: 'found',
      values: [
        { exchange: 'a.test', priority: 10 },
        { exchange: 'b.test', priority: 20 },
      ],
    });
  });

  it('gives CNAME, A and AAAA records', async () => {
    const server = await nameServer(({ name, type }) => {
      if (type === 'CNAME') return { records: [{ type, name, data: 'target.test' }] };
      if (type === 'A') return { records: [{ type, name, data: '192.0.2.1' }] };
      if (type === 'AAAA') return { records: [{ type, name, data: '2001:db8::1' }] };
      return null;
    });
    const lookup = lookupAt(server);
    expect(await lookup.cname('acme.test')).toEqual({ status: 'found', values: ['target.test'] });
    expect(await lookup.a('acme.test')).toEqual({ status: 'found', values: ['192.0.2.1'] });
    expect(await lookup.aaaa('acme.test')).toEqual({ status: 'found', values: ['2001:db8::1'] });
  });

  it('tells a name without the record from a name that is not there and from a failing server', async () => {
    const rcodes: { [name: string]: number } = {
      'empty.test': 0,
      'absent.test': 3,
      'broken.test': 2,
      'closed.test': 5,
    };
    const server = await nameServer(({ name }) => ({ records: [], rcode: rcodes[name] ?? 0 }));
    const lookup = lookupAt(server);
    const status = async (name: string) => (await lookup.txt(name)).status;
    expect(await status('empty.test')).toBe('none');
    expect(await status('absent.test')).toBe('nxdomain');
    expect(await status('broken.test')).toBe('failed');
    expect(await status('closed.test')).toBe('failed');
  });

  it('asks a second time when the first question is lost', async () => {
    const server = await nameServer(({ name }, asked) =>
      asked === 1 ? null : { records: [{ type: 'TXT', name, data: 'late' }] },
    );
    const lookup = createLookup({ servers: [server], timeoutMs: 20 });
    expect(await lookup.txt('acme.test')).toEqual({ status: 'found', values: ['late'] });
  });

  it('fails without throwing when nobody answers or the name cannot be asked for', async () => {
    const server = await nameServer(() => null);
    const lookup = createLookup({ servers: [server], timeoutMs: 20 });
    expect(await lookup.txt('acme.test')).toEqual({ status: 'failed', values: [] });
    expect((await lookup.mx(`${'a'.repeat(64)}.test`)).status).toBe('failed');
  });

  it('sees a change at once: nothing is kept from an earlier look-up', async () => {
    const server = await nameServer(({ name }, asked) => ({
      records: [{ type: 'TXT', name, ttl: 3600, data: `answer ${asked}` }],
    }));
    const lookup = lookupAt(server);
    expect((await lookup.txt('acme.test')).values).toEqual(['answer 1']);
    expect((await lookup.txt('acme.test')).values).toEqual(['answer 2']);
  });
});
