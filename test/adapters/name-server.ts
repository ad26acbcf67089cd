/** A name server over UDP and TCP whose every response a test decides. */
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { type Answer, decode, encode, type Packet, type Question, TRUNCATED_RESPONSE } from 'dns-packet';

export type Transport = 'udp' | 'tcp';

/** What is sent for a query: messages one after the other, or an end of the TCP connection. */
export type Response = readonly Buffer[] | 'close';

export interface Query {
  readonly packet: Packet;
  readonly question: Question;
  readonly transport: Transport;
}

export interface NameServer {
  /** `address:port`, the same port for both. */
  readonly address: string;
  /** Transports of the queries so far. */
  readonly asked: readonly Transport[];
  close(): void;
}

export async function startNameServer(respond: (query: Query) => Response): Promise<NameServer> {
  const asked: Transport[] = [];
  const answer = (message: Buffer, transport: Transport): Response => {
    const packet = decode(message);
    const [question] = packet.questions ?? [];
    if (!question) return [];
    asked.push(transport);
    return respond({ packet, question, transport });
  };
  const tcp = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.on('data', (data: Buffer) => {
      const response = answer(data.subarray(2), 'tcp');
      if (response === 'close') socket.destroy();
      else for (const message of response) socket.write(framed(message));
    });
  });
  await new Promise<void>((resolve) => tcp.listen(0, '127.0.0.1', resolve));
  const bound = tcp.address();
  const port = bound !== null && typeof bound === 'object' ? bound.port : 0;
  const udp = createSocket('udp4');
  udp.on('message', (message, from) => {
    const response = answer(message, 'udp');
    if (response === 'close') return;
    for (const one of response) udp.send(one, from.port, from.address);
  });
  await new Promise<void>((resolve) => udp.bind(port, '127.0.0.1', resolve));
  return {
    address: `127.0.0.1:${port}`,
    asked,
    close: () => {
      udp.close();
      tcp.close();
    },
  };
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}

/** A response to a query; `change` overrides its parts. */
export function reply({ packet }: Query, answers: readonly Answer[], change: Partial<Packet> = {}): Buffer {
  return encode({
    type: 'response',
    id: packet.id ?? 0,
    flags: 0,
    questions: packet.questions ?? [],
    answers: [...answers],
    ...change,
  });
}

/** The sign that the whole response needs TCP (RFC 1035, 4.2.1). */
export const truncated = (query: Query): Buffer => reply(query, [], { flags: TRUNCATED_RESPONSE });
