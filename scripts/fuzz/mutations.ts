/** Random changes to a message. Strings of octets. */
import type { Random } from '../random.ts';
import { hostileLength, hostileText } from './hostile-text.ts';

type Mutation = (message: string, random: Random, other: string) => string;

const mutations: readonly [Mutation, ...Mutation[]] = [
  // Replaces octets.
  (message, random) => {
    const octets = [...message];
    for (let times = 1 + random.below(20); times > 0 && octets.length > 0; times--) {
      octets[random.below(octets.length)] = String.fromCharCode(random.below(256));
    }
    return octets.join('');
  },
  // Deletes a range.
  (message, random) => {
    const [from, to] = range(message, random);
    return message.slice(0, from) + message.slice(to);
  },
  // Repeats a range.
  (message, random) => {
    const [from, to] = range(message, random);
    const times = Math.min(1 + random.below(200), Math.ceil(1_000_000 / Math.max(to - from, 1)));
    return message.slice(0, to) + message.slice(from, to).repeat(times) + message.slice(to);
  },
  // Inserts hostile text.
  (message, random) => {
    const at = random.below(message.length + 1);
    return message.slice(0, at) + hostileText(random, hostileLength(random)) + message.slice(at);
  },
  // Replaces the value of a field, in any header of the message.
  (message, random) => {
    const starts = [...message.matchAll(/^[\w-]{2,40}: */gm)];
    const start = starts[random.below(Math.max(starts.length, 1))];
    if (!start) return message;
    const from = start.index + start[0].length;
    const end = message.indexOf('\n', from);
    const value = hostileText(random, hostileLength(random));
    return `${message.slice(0, from)}${value}\r${message.slice(end < 0 ? message.length : end)}`;
  },
  // Truncates.
  (message, random) => message.slice(0, random.below(message.length + 1)),
  // Continues with another message.
  (message, random, other) =>
    message.slice(0, random.below(message.length + 1)) + other.slice(random.below(other.length + 1)),
  // Contains another message.
  (message, random, other) => {
    const at = random.below(message.length + 1);
    return message.slice(0, at) + other + message.slice(at);
  },
  // Changes all line ends.
  (message, random) => message.replace(/\r?\n/g, random.pick(['\n', '\r', '\r\n', '\r\r\n', '\n\r'])),
  // Reorders lines.
  (message, random) => {
    const lines = message.split('\n');
    for (let times = 1 + random.below(10); times > 0; times--) {
      const [a, b] = [random.below(lines.length), random.below(lines.length)];
      [lines[a], lines[b]] = [lines[b] ?? '', lines[a] ?? ''];
    }
    return lines.join('\n');
  },
  // Changes a word of MIME.
  (message, random) => {
    const [word, by] = random.pick([
      ['base64', 'quoted-printable'],
      ['quoted-printable', 'base64'],
      ['text/plain', 'text/html'],
      ['text/html', 'multipart/mixed'],
      ['multipart/', 'message/'],
      ['boundary=', 'boundary*0='],
      ['charset=', 'charset*='],
      ['attachment', 'inline'],
      ['utf-8', 'utf-7'],
      ['delivery-status', 'feedback-report'],
    ]);
    return message.replaceAll(word, by);
  },
];

/** One to five random changes. */
export function mutate(message: string, random: Random, other: string): string {
  let mutated = message;
  for (let times = 1 + random.below(5); times > 0; times--) {
    mutated = random.pick(mutations)(mutated, random, other);
  }
  return mutated.slice(0, octetsMax);
}

const octetsMax = 3_000_000;

function range(message: string, random: Random): [from: number, to: number] {
  const from = random.below(message.length + 1);
  return [from, Math.min(from + random.below(random.pick([10, 100, 10_000])), message.length)];
}
