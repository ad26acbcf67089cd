/**
 * What an answer has room for. The answer of a Lambda ends at 6 MB, and the body is a JSON text within JSON there: a line
 * feed takes three octets, a quotation mark four, a control character seven.
 */
import type { EmailContent, EmailHead } from './email.ts';
import { limits } from './limits.ts';
import { truncateText } from './mail/text-limits.ts';

type Lists = Pick<EmailHead, 'to'> & Pick<EmailContent, 'cc' | 'headers' | 'references'>;
/** The bodies of an email, and what was made of them. */
type Bodies = Pick<EmailContent, 'html' | 'text' | 'strippedText' | 'strippedHtml' | 'segments'>;
/** What of an email may be of any size. */
export type Sizeable = Lists & Bodies;

const octetsMaxOfOctet = 7;
/** More than what stands around one text: names, quotation marks, braces. */
const octetsOfFrame = 100;
/** Of each list; the bodies have the rest. */
const listOctets = { to: 1_000_000, cc: 1_000_000, headers: 500_000, references: 250_000 };

/** Octets of a value in the answer of a Lambda. */
export function bytesInResponse(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/**
 * As much of an email as a response can contain: the beginning of each list, and of the bodies first the ones that cannot
 * be derived from the others. Only mail that is made for it loses anything here.
 *
 * @param otherBytes bytes of the rest of the response
 */
export function fitEmail(email: Sizeable, otherBytes = 0): Sizeable {
  const { html, text, strippedText, strippedHtml, segments } = email;
  const lists: Lists = {
    to: beginningOfList(email.to, listOctets.to),
    cc: beginningOfList(email.cc, listOctets.cc),
    headers: beginningOfList(email.headers, listOctets.headers),
    references: beginningOfList(email.references, listOctets.references),
  };
  const bodies = { html, text, strippedText, strippedHtml, segments };
  return { ...lists, ...fittingBodies(bodies, limits.emailBytes - otherBytes - bytesInResponse(lists)) };
}

/** How many items fit into `bytes` of a response; at least one, so that a list makes progress. */
export function endWithin(items: readonly unknown[], bytes: number): number {
  let left = bytes;
  const end = items.findIndex((item, index) => {
    left -= bytesInResponse(item);
    return left < 0 && index > 0;
  });
  return end < 0 ? items.length : end;
}

/** The last entries of a list within `bytes`. */
export function newestThatFit<T>(list: readonly T[], bytes: number): readonly T[] {
  return [...beginningOfList([...list].reverse(), bytes)].reverse();
}

function beginningOfList<T>(list: readonly T[], octets: number): readonly T[] {
  if (bytesInResponse(list) <= octets) return list;
  let room = octets;
  const end = list.findIndex((one) => {
    room -= bytesInResponse(one);
    return room < 0;
  });
  return list.slice(0, end);
}

/** The stripped html goes first, then the segments, then the stripped text. Then the bodies are cut. */
function fittingBodies(bodies: Bodies, room: number): Bodies {
  const { html, text } = bodies;
  /** Both bodies, cut so, have room whatever is in them. */
  const cut = Math.floor(room / 2 / octetsMaxOfOctet) - 100;
  const less: readonly Partial<Bodies>[] = [
    {},
    { strippedHtml: null },
    { segments: [] },
    { strippedText: null },
    { html: html && truncateText(html, cut), text: text && truncateText(text, cut) },
  ];
  let fitting = bodies;
  for (const change of less) {
    fitting = { ...fitting, ...change };
    if (fits(fitting, room)) break;
  }
  return fitting;
}

function fits(bodies: Bodies, room: number): boolean {
  const { html, text, strippedText, strippedHtml, segments } = bodies;
  const texts = [html, text, strippedText, strippedHtml, ...segments.map((segment) => segment.text)];
  const characters = texts.reduce((sum, body) => sum + (body?.length ?? 0), 0);
  // Most mail is far from it, and need not be written out to see that.
  if (characters * octetsMaxOfOctet + texts.length * octetsOfFrame < room) return true;
  return bytesInResponse(bodies) <= room;
}
