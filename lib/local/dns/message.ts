/** One DNS query answered from a zone, as bytes (RFC 1035 4.1, EDNS of RFC 6891). */
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
import { plain, type RecordType, type Zone, type ZoneRecord, type ZoneResponse } from './zone.ts';

/** What is wrong with a name: its server fails, or does not answer at all. */
export type DnsFault = 'SERVFAIL' | 'timeout';

const codes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4 } as const;
type Code = keyof typeof codes;

const known: readonly string[] = ['A', 'AAAA', 'CNAME', 'MX', 'NS', 'SOA', 'TXT', 'ANY'];
/** What a UDP answer may hold where the client says nothing (RFC 1035 4.2.1). */
const plainOctetsMax = 512;
/** What we say that we take. */
const ednsOctetsMax = 1232;
const headerOctets = 12;
const stringOctetsMax = 255;
const ttlSeconds = 60;

/**
 * The response to `query`, or null where none may be given: a fault, or bytes that are no query.
 *
 * @param isDatagram whether an answer that is too long is cut, for the client to ask again over TCP
 */
export function respond(
  query: Buffer,
  zone: Zone,
  faultAt: (name: string) => DnsFault | undefined,
  isDatagram: boolean,
): Buffer | null {
  const packet = read(query);
  if (packet === null) return query.length < headerOctets ? null : formatError(query);
  if (packet.type === 'response') return null;
  const [question] = packet.questions ?? [];
  if (packet.opcode !== 'QUERY' || question === undefined) return encode(response(packet, 'NOTIMP', null));
  const fault = faultAt(plain(question.name));
  if (fault === 'timeout') return null;
  if (fault === 'SERVFAIL') return encode(response(packet, 'SERVFAIL', null));
  const answer = known.includes(question.type)
    ? zone.answer(question.name, question.type as RecordType | 'ANY')
    : // Any record type will tell whether the name exists; we have none of this type.
      { ...zone.answer(question.name, 'ANY'), answers: [] };
  const bytes = encode(response(packet, answer.code, answer));
  if (!isDatagram || bytes.length <= datagramOctetsMax(packet)) return bytes;
  const cut = response(packet, answer.code, null);
  return encode({ ...cut, flags: (cut.flags ?? 0) | TRUNCATED_RESPONSE });
}

type DecodedPacket = ReturnType<typeof decode> & { readonly opcode?: string };

function read(query: Buffer): DecodedPacket | null {
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
  return Math.max(plainOctetsMax, Math.min(ednsOf(query)?.udpPayloadSize ?? plainOctetsMax, ednsOctetsMax));
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

/** Strings of at most 255 octets; a longer one is cut, as people paste whole keys (RFC 1035 3.3.14). */
function characterStrings(value: ZoneRecord['value']): Buffer[] {
  return [value].flat().flatMap((text) => {
    const octets = Buffer.from(text);
    const count = Math.max(1, Math.ceil(octets.length / stringOctetsMax));
    return Array.from({ length: count }, (_, index) =>
      octets.subarray(index * stringOctetsMax, (index + 1) * stringOctetsMax),
    );
  });
}
