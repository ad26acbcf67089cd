/** Answers a DNS query message from a zone (RFC 1035 section 4.1, EDNS of RFC 6891). */
import {
  type Answer,
  AUTHORITATIVE_ANSWER,
  decode,
  encode,
  type Packet,
  RECURSION_AVAILABLE,
  RECURSION_DESIRED,
  TRUNCATED_RESPONSE,
} from 'dns-packet';
import { normalizeName, type RecordType, type Zone, type ZoneRecord, type ZoneResponse } from './zone.ts';

/** An injected fault of a name: SERVFAIL, REFUSED as of a lame server, or no response. */
export const dnsFaults = ['SERVFAIL', 'REFUSED', 'timeout'] as const;
export type DnsFault = (typeof dnsFaults)[number];

const codes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5 } as const;
type Code = keyof typeof codes;

const knownTypes: readonly string[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SOA', 'TXT', 'ANY'];
/** UDP payload size without EDNS (RFC 1035 section 4.2.1). */
const defaultOctetsMax = 512;
/** UDP payload size that this server announces and sends at most. */
const ednsOctetsMax = 1232;
const headerOctets = 12;
const stringOctetsMax = 255;
const ttlSeconds = 60;

/**
 * The response to `query`; null for a timeout fault or bytes that are no query.
 *
 * @param isDatagram whether a long response is truncated, so that the client retries over TCP
 */
export function respond(
  query: Buffer,
  zone: Zone,
  faultAt: (name: string) => DnsFault | undefined,
  isDatagram: boolean,
): Buffer | null {
  const packet = decodePacket(query);
  if (packet === null) return query.length < headerOctets ? null : formatError(query);
  if (packet.type === 'response') return null;
  const [question] = packet.questions ?? [];
  if (packet.opcode !== 'QUERY' || question === undefined) return encode(response(packet, 'NOTIMP', null));
  const fault = faultAt(normalizeName(question.name));
  if (fault === 'timeout') return null;
  if (fault) return encode(response(packet, fault, null));
  const answer = knownTypes.includes(question.type)
    ? zone.query(question.name, question.type as RecordType | 'ANY')
    : // The zone holds no records of other types; ANY finds out whether the name exists.
      { ...zone.query(question.name, 'ANY'), answers: [] };
  const bytes = encode(response(packet, answer.code, answer));
  if (!isDatagram || bytes.length <= datagramOctetsMax(packet)) return bytes;
  const truncated = response(packet, answer.code, null);
  return encode({ ...truncated, flags: (truncated.flags ?? 0) | TRUNCATED_RESPONSE });
}

type DecodedPacket = ReturnType<typeof decode> & { readonly opcode?: string };

function decodePacket(query: Buffer): DecodedPacket | null {
  try {
    return decode(query);
  } catch {
    return null;
  }
}

function formatError(query: Buffer): Buffer {
  return encode({ type: 'response', id: query.readUInt16BE(0), flags: codes.FORMERR, questions: [] });
}

function response(query: DecodedPacket, code: Code, answer: ZoneResponse | null): Packet {
  const recursion = (query.flags ?? 0) & RECURSION_DESIRED;
  return {
    type: 'response',
    id: query.id ?? 0,
    flags: AUTHORITATIVE_ANSWER | RECURSION_AVAILABLE | recursion | codes[code],
    questions: query.questions ?? [],
    answers: answer?.answers.map(resourceRecord) ?? [],
    authorities: answer?.authority ? [resourceRecord(answer.authority)] : [],
    additionals: ednsOf(query) === undefined ? [] : [ednsAnswer],
  };
}

const ednsAnswer: Answer = {
  type: 'OPT',
  name: '.',
  udpPayloadSize: ednsOctetsMax,
  extendedRcode: 0,
  ednsVersion: 0,
  flags: 0,
  flag_do: false,
  options: [],
};

function ednsOf(query: DecodedPacket) {
  return query.additionals?.find((record) => record.type === 'OPT');
}

function datagramOctetsMax(query: DecodedPacket): number {
  return Math.max(
    defaultOctetsMax,
    Math.min(ednsOf(query)?.udpPayloadSize ?? defaultOctetsMax, ednsOctetsMax),
  );
}

function resourceRecord(record: ZoneRecord): Answer {
  const { name, ttl = ttlSeconds } = record;
  const text = typeof record.value === 'string' ? record.value : record.value.join(' ');
  switch (record.type) {
    case 'TXT':
      return { type: 'TXT', name, ttl, data: characterStrings(record.value) };
    case 'MX':
      return { type: 'MX', name, ttl, data: { preference: record.priority ?? 10, exchange: text } };
    case 'SOA': {
      const [mname = '.', rname = '.', serial, refresh, retry, expire, minimum] = text.split(/\s+/);
      const seconds = (value: string | undefined) => Number(value ?? ttlSeconds);
      return {
        type: 'SOA',
        name,
        ttl,
        data: {
          mname,
          rname,
          serial: Number(serial ?? 1),
          refresh: seconds(refresh),
          retry: seconds(retry),
          expire: seconds(expire),
          minimum: seconds(minimum),
        },
      };
    }
    default:
      return { type: record.type, name, ttl, data: text };
  }
}

/** Splits a TXT value into strings of 255 octets at most (RFC 1035 section 3.3.14). */
function characterStrings(value: ZoneRecord['value']): Buffer[] {
  return [value].flat().flatMap((text) => {
    const octets = Buffer.from(text);
    const count = Math.max(1, Math.ceil(octets.length / stringOctetsMax));
    return Array.from({ length: count }, (_, index) =>
      octets.subarray(index * stringOctetsMax, (index + 1) * stringOctetsMax),
    );
  });
}
