/** The messages of the mail fuzzer: each follows from the seed and its number. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { corpus, messagesUnder } from '../corpus/files.ts';
import { pickFrom, type Random, seeded } from '../random.ts';
import { conversations } from './conversations.ts';
import { hostileLength, hostileText, repeated } from './hostile-text.ts';
import {
  type Correspondence,
  caseMark,
  type Field,
  fields,
  messageWith,
  type Slots,
  slotOf,
} from './message-fields.ts';
import { mutate } from './mutations.ts';
import { structures } from './structures.ts';

export interface MessageCase {
  readonly number: number;
  readonly kind: string;
  /** Envelope sender. */
  readonly from: string;
  /** Header field by which the stored email is found. */
  readonly raw: Buffer;
}

/** Name of the first header field of each case; its value is the number. */
export const caseHeader = 'X-Fuzz-Case';

/** Just below the 4 MiB of header that are read. */
const targetedOctets = 4_000_000;
/** Display names and subjects of this size brought the lists of a workspace over the response limit. */
const crowdOctets = 250 * 1024;
const crowdSize = 30;

/** One case for each field, one for all fields of each base, and a crowd in one workspace. */
export const targetedCount = fields.length + 3 + crowdSize;

/** A generator for one case of a seed. */
export function caseRandom(seed: number, number: number): Random {
  const random = seeded(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  // The first value of neighbouring seeds is similar.
  random.below(2);
  return random;
}

/**
 * @param number below `targetedCount`: 4 MB in one field or in all; from there on: random
 * @param octets size of the targeted texts; default 4 MB
 */
export function messageCase(
  seed: number,
  number: number,
  with_: Correspondence,
  octets = targetedOctets,
): MessageCase {
  const random = caseRandom(seed, number);
  const { kind, message } =
    number < targetedCount ? targeted(number, random, with_, octets) : randomCase(random, with_);
  return {
    number,
    kind,
    from: random.pick(['anna@example.test', '', 'bounce+a=b@example.test', 'mallory@evil.example']),
    raw: Buffer.from(`${caseHeader}: ${number}\r\n${message.replace(caseMark, String(number))}`, 'latin1'),
  };
}

interface Made {
  readonly kind: string;
  readonly message: string;
}

function targeted(number: number, random: Random, with_: Correspondence, octets: number): Made {
  const field = fields[number];
  if (field) {
    const text = targetedText(random, octets);
    return { kind: `one field: ${field.name}`, message: messageWith(field.base, with_, slotOf(field, text)) };
  }
  const base = (['mail', 'status', 'feedback'] as const)[number - fields.length];
  if (base) return { kind: `all fields: ${base}`, message: allFields(base, random, with_, octets / 16) };
  return {
    kind: 'crowd: long names, subjects and ids',
    message: allFields('mail', random, with_, Math.min(crowdOctets, octets)),
  };
}

/** Quotation marks, brackets and escapes grow when they are written into JSON or another header. */
function targetedText(random: Random, octets: number): string {
  return random.below(2) === 0
    ? repeated(random.pick(['a', '"', '\\', '<', '\x01', '\xe9', '<a@b.test> ']), octets)
    : hostileText(random, octets);
}

/** The first field of each slot, so that the message keeps its parts. */
function allFields(base: Field['base'], random: Random, with_: Correspondence, octets: number): string {
  const slots: Slots = Object.assign(
    {},
    ...fields
      .filter((field) => field.base === base && !/(boundary|^message\.Content-T)/.test(field.slot))
      .toReversed()
      .map((field) => slotOf(field, targetedText(random, Math.floor(octets)))),
  );
  return messageWith(base, with_, slots);
}

function randomCase(random: Random, with_: Correspondence): Made {
  const roll = random.below(100);
  if (roll < 35) return corpusMutation(random);
  if (roll < 60) return hostileFields(random, with_);
  if (roll < 78) return oneOf('structure', structures, (make) => make(random), random);
  return oneOf('conversation', conversations, (make) => make(random, with_), random);
}

const files = messagesUnder('.');

function corpusMutation(random: Random): Made {
  const [file, other] = [pickFrom(random, files), pickFrom(random, files)];
  return { kind: 'corpus', message: mutate(contentOf(file), random, contentOf(other)) };
}

function contentOf(file: string): string {
  return readFileSync(join(corpus, file)).toString('latin1');
}

function hostileFields(random: Random, with_: Correspondence): Made {
  const picked = pickFrom(random, fields);
  const alike = fields.filter(({ base }) => base === picked.base);
  const more = Array.from({ length: random.below(5) }, () => pickFrom(random, alike));
  const slots = [picked, ...more].map((field) => slotOf(field, hostileText(random, hostileLength(random))));
  return { kind: 'fields', message: messageWith(picked.base, with_, Object.assign({}, ...slots)) };
}

function oneOf<T>(
  group: string,
  makers: Readonly<Record<string, T>>,
  make: (maker: T) => string,
  random: Random,
): Made {
  const [name, maker] = pickFrom(random, Object.entries(makers));
  return { kind: `${group}: ${name}`, message: make(maker) };
}
