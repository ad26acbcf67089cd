/** Look-ups against a name server of our own. */
import { createSocket } from 'node:dgram';
import { decode, encode, type Packet, type Question, type Answer as Record } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { type AuthorityOptions, publicAuthority } from '../../lib/adapters/authoritative-dns.ts';
import { createLookup } from '../../lib/adapters/dns.ts';

type Reply = { records: Record[]; rcode?: number } | null;

/** The time that the resolver took. */
const ms = expect.any(Number);

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

const lookupAt = (server: string) => createLookup({ servers: [server], timeoutMs: 1000, authority: null });

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
      ms,
    });
  });

  it('returns MX records with the preferred one first', async () => {
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
      ms,
    });
  });

  it('returns CNAME, A and AAAA records', async () => {
    const server = await nameServer(({ name, type }) => {
      if (type === 'CNAME') return { records: [{ type, name, data: 'target.test' }] };
      if (type === 'A') return { records: [{ type, name, data: '192.0.2.1' }] };
      if (type === 'AAAA') return { records: [{ type, name, data: '2001:db8::1' }] };
      return null;
    });
    const lookup = lookupAt(server);
    expect(await lookup.cname('acme.test')).toEqual({ status: 'found', values: ['target.test'], ms });
    expect(await lookup.a('acme.test')).toEqual({ status: 'found', values: ['192.0.2.1'], ms });
    expect(await lookup.aaaa('acme.test')).toEqual({ status: 'found', values: ['2001:db8::1'], ms });
  });

  it('distinguishes a name without the record, a name that does not exist, and a failing server', async () => {
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
    const lookup = createLookup({ servers: [server], timeoutMs: 300, authority: null });
    expect(await lookup.txt('acme.test')).toEqual({ status: 'found', values: ['late'], ms });
  });

  it('fails without throwing when nobody answers or the name cannot be asked for', async () => {
    const server = await nameServer(() => null);
    const lookup = createLookup({ servers: [server], timeoutMs: 20, authority: null });
    expect(await lookup.txt('acme.test')).toEqual({ status: 'failed', values: [], ms });
    expect((await lookup.mx(`${'a'.repeat(64)}.test`)).status).toBe('failed');
  });

  it('returns a changed record at once, because it caches nothing', async () => {
    const server = await nameServer(({ name }, asked) => ({
      records: [{ type: 'TXT', name, ttl: 3600, data: `answer ${asked}` }],
    }));
    const lookup = lookupAt(server);
    expect((await lookup.txt('acme.test')).values).toEqual(['answer 1']);
    expect((await lookup.txt('acme.test')).values).toEqual(['answer 2']);
  });
});

describe('createLookup with authoritative servers', () => {
  const nxdomain = { records: [], rcode: 3 };
  const dkim = 's1._domainkey.acme.test';

  /** A resolver with a negative answer in its cache, which knows the name servers of `acme.test`. */
  const cachingResolver = (addresses: readonly string[], asked: string[] = []) =>
    nameServer(({ name, type }) => {
      asked.push(`${type} ${name}`);
      if (type === 'NS' && name === 'acme.test')
        return { records: [{ type: 'NS', name, data: 'ns1.host.test' }] };
      if (type === 'A' && name === 'ns1.host.test')
        return { records: addresses.map((data) => ({ type: 'A', name, data })) };
      return nxdomain;
    });

  const lookup = (
    server: string,
    authority: string,
    isAllowed: AuthorityOptions['isAllowed'] = (address) => address === '127.0.0.1',
  ) =>
    createLookup({
      servers: [server],
      timeoutMs: 1000,
      authority: { port: Number(authority.split(':')[1]), isAllowed, timeoutMs: 1000 },
    });

  it('finds a record that the resolver does not know yet', async () => {
    const authority = await nameServer(({ name, type }) =>
      type === 'TXT' ? { records: [{ type, name, data: 'v=DKIM1' }] } : nxdomain,
    );
    const asked: string[] = [];
    const server = await cachingResolver(['127.0.0.1'], asked);
    expect(await lookup(server, authority).txt(dkim)).toEqual({ status: 'found', values: ['v=DKIM1'], ms });
    // The top-level domain is not asked.
    expect(asked.filter((question) => question.startsWith('NS')).sort()).toEqual([
      'NS _domainkey.acme.test',
      'NS acme.test',
      `NS ${dkim}`,
    ]);
  });

  it('looks up the servers of a zone once for all records', async () => {
    const authority = await nameServer(() => nxdomain);
    const asked: string[] = [];
    const both = lookup(await cachingResolver(['127.0.0.1'], asked), authority);
    await both.mx('acme.test');
    await both.txt('acme.test');
    expect(asked.filter((question) => question === 'NS acme.test')).toHaveLength(1);
    expect(asked.filter((question) => question === 'A ns1.host.test')).toHaveLength(1);
  });

  it('asks no authoritative server when the resolver finds the record or fails', async () => {
    let count = 0;
    const authority = await nameServer(() => {
      count++;
      return nxdomain;
    });
    const found = await nameServer(({ name }) => ({ records: [{ type: 'TXT', name, data: 'x' }] }));
    expect((await lookup(found, authority).txt(dkim)).status).toBe('found');
    const failing = await nameServer(() => ({ records: [], rcode: 2 }));
    expect((await lookup(failing, authority).txt(dkim)).status).toBe('failed');
    expect(count).toBe(0);
  });

  it('follows a new alias into another zone, which the authoritative servers do not know', async () => {
    const authority = await nameServer(({ name }) => ({
      records: [{ type: 'CNAME', name, data: 'key.other.test' }],
    }));
    const server = await nameServer(({ name, type }) => {
      if (type === 'NS' && name === 'acme.test') return { records: [{ type, name, data: 'ns1.host.test' }] };
      if (type === 'A') return { records: [{ type, name, data: '127.0.0.1' }] };
      return name === 'key.other.test' ? { records: [{ type: 'TXT', name, data: 'v=DKIM1' }] } : nxdomain;
    });
    expect(await lookup(server, authority).txt(dkim)).toEqual({ status: 'found', values: ['v=DKIM1'], ms });
  });

  it('asks the next authoritative server when one is lame', async () => {
    let asked = 0;
    const authority = await nameServer(({ name }) => {
      asked++;
      return asked === 1 ? { records: [], rcode: 5 } : { records: [{ type: 'TXT', name, data: 'v=DKIM1' }] };
    });
    const server = await nameServer(({ name, type }) => {
      const hosts = ['ns1.host.test', 'ns2.host.test'];
      if (type === 'NS' && name === 'acme.test')
        return { records: hosts.map((data) => ({ type, name, data })) };
      return type === 'A' ? { records: [{ type, name, data: '127.0.0.1' }] } : nxdomain;
    });
    expect((await lookup(server, authority).txt(dkim)).status).toBe('found');
    expect(asked).toBe(2);
  });

  it('keeps the answer of the resolver when the authoritative servers fail', async () => {
    const refusing = await nameServer(() => ({ records: [], rcode: 5 }));
    const server = await cachingResolver(['127.0.0.1']);
    expect((await lookup(server, refusing).txt(dkim)).status).toBe('nxdomain');
    const silent = await nameServer(() => null);
    expect((await lookup(server, silent).txt(dkim)).status).toBe('nxdomain');
  });

  it('ends after its timeout when the name servers are not found', async () => {
    const server = await nameServer(({ type }) => (type === 'TXT' ? nxdomain : null));
    const authority = { port: 53, isAllowed: () => true, timeoutMs: 50 };
    const slow = createLookup({ servers: [server], timeoutMs: 5000, authority });
    expect((await slow.txt(dkim)).status).toBe('nxdomain');
  });

  it.each(['127.0.0.1', '10.0.0.2', '169.254.169.254', '100.64.0.1'])(
    'asks no name server when its address is %s, which is not public',
    async (address) => {
      let count = 0;
      const authority = await nameServer(({ name }) => {
        count++;
        return { records: [{ type: 'TXT', name, data: 'secret' }] };
      });
      const server = await cachingResolver([address]);
      const isAllowed = (address: string) => publicAuthority([])?.isAllowed(address) ?? true;
      expect((await lookup(server, authority, isAllowed).txt(dkim)).status).toBe('nxdomain');
      expect(count).toBe(0);
    },
  );
});
