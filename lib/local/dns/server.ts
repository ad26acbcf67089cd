/** The local DNS server: one zone for all names, over UDP and TCP, with fault injection by name. */
import { createSocket, type Socket as DatagramSocket } from 'node:dgram';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Journal } from '../journal.ts';
import { type DnsFault, respond } from './message.ts';
import { createZoneResolver, type ZoneResolver } from './resolver.ts';
import { createZone, normalizeName, type RecordPattern, type ZoneRecord } from './zone.ts';

export interface DnsOptions {
  /** For UDP and TCP; 0: a free port. */
  readonly port: number;
  readonly host?: string;
  /** Keeps the records; default: nothing is kept. */
  readonly journal?: Journal | null;
}

export interface LocalDns {
  readonly port: number;
  /** Idempotent. */
  publish(record: ZoneRecord): void;
  /** Returns the number of removed records. */
  remove(pattern: RecordPattern): number;
  records(): readonly ZoneRecord[];
  /** Makes all queries for exactly this name fail; null removes the fault. */
  fault(name: string, fault: DnsFault | null): void;
  /** In-process look-ups in this zone, faults included. */
  readonly resolver: ZoneResolver;
  close(): Promise<void>;
}

const triesMax = 20;

/** Starts the server; default host: 127.0.0.1. */
export async function startDns(options: DnsOptions): Promise<LocalDns> {
  const { port: wantedPort, host = '127.0.0.1' } = options;
  const zone = createZone(options.journal?.map('dns'));
  const faults = new Map<string, DnsFault>();
  const faultAt = (name: string) => faults.get(name);
  const connections = new Set<Socket>();

  const onConnection = (socket: Socket) => {
    connections.add(socket);
    socket.on('close', () => connections.delete(socket));
    // Clients may reset connections.
    socket.on('error', () => socket.destroy());
    eachMessage(socket, (query) => {
      const bytes = respond(query, zone, faultAt, false);
      if (bytes !== null) socket.write(framed(bytes));
    });
  };

  const { udp, tcp, port } = await listen(wantedPort, host, onConnection);
  udp.on('message', (query, { port: clientPort, address }) => {
    const bytes = respond(query, zone, faultAt, true);
    if (bytes !== null) udp.send(bytes, clientPort, address);
  });
  // ICMP "port unreachable" from a closed client surfaces as a socket error.
  udp.on('error', () => {});

  return {
    port,
    publish: zone.publish,
    remove: zone.remove,
    records: zone.records,
    fault: (name, fault) => {
      if (fault === null) faults.delete(normalizeName(name));
      else faults.set(normalizeName(name), fault);
    },
    resolver: createZoneResolver(zone, faultAt),
    close: async () => {
      for (const socket of connections) socket.destroy();
      await Promise.all([
        new Promise<void>((resolve) => udp.close(resolve)),
        new Promise<void>((resolve) => tcp.close(() => resolve())),
      ]);
    },
  };
}

/** Retries with another port when a port is free for UDP and taken for TCP, unless the caller chose the port. */
async function listen(
  port: number,
  host: string,
  onConnection: (socket: Socket) => void,
): Promise<{ udp: DatagramSocket; tcp: Server; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const udp = createSocket('udp4');
    await listening(udp, () => udp.bind(port, host));
    const bound = udp.address().port;
    const tcp = createServer(onConnection);
    try {
      await listening(tcp, () => tcp.listen(bound, host));
      return { udp, tcp, port: (tcp.address() as AddressInfo).port };
    } catch (error) {
      udp.close();
      if (port !== 0 || attempt >= triesMax) throw error;
    }
  }
}

async function listening(server: DatagramSocket | Server, start: () => void): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.once('listening', () => {
      server.off('error', reject);
      resolve();
    });
    start();
  });
}

/** Splits TCP data into messages by their two-octet length prefix (RFC 1035 section 4.2.2). */
function eachMessage(socket: Socket, onMessage: (message: Buffer) => void): void {
  let pending = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    pending = Buffer.concat([pending, chunk]);
    while (pending.length >= 2 && pending.length >= 2 + pending.readUInt16BE(0)) {
      const end = 2 + pending.readUInt16BE(0);
      onMessage(pending.subarray(2, end));
      pending = pending.subarray(end);
    }
  });
}

function framed(message: Buffer): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(message.length);
  return Buffer.concat([length, message]);
}
