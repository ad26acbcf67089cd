/**
 * Response size: an email is cut to a text budget, because a Lambda response has at most 6 MB ("Lambda quotas"). The body
 * is a JSON text within JSON there: a line feed takes 3 bytes, a quotation mark 4, a control character 7.
 */

import { truncateText } from '../../mail/text/text-limits.ts';
import { limits } from '../limits.ts';
import type { EmailContent, EmailHead } from './email.ts';

type Lists = Pick<EmailHead, 'to'> & Pick<EmailContent, 'cc' | 'headers' | 'references'>;
/** The bodies of an email, and what is derived from them. */
type Bodies = Pick<EmailContent, 'html' | 'text' | 'strippedText' | 'strippedHtml' | 'segments'>;
/** The parts of an email without a fixed limit. */
export type Sizeable = Lists & Bodies;

const responseBytesMaxPerByte = 7;
/** An upper bound of the JSON around one text: names, quotation marks, braces. */
const framingBytes = 100;
/** Budget of each list; the bodies have the rest. */
const listBytesMax = { to: 1_000_000, cc: 1_000_000, headers: 500_000, references: 250_000 };

/** Bytes of a value in a Lambda response. */
export function bytesInResponse(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/**
 * An email within `limits.emailBytes`: lists are cut to their beginning; of the bodies, derived ones are left out first.
 * Mail within the limits of shown text exceeds it only where most of its characters are escaped.
 *
 * @param otherBytes bytes of the rest of the response
 */
export function fitEmail(email: Sizeable, otherBytes = 0): Sizeable {
  const { html, text, strippedText, strippedHtml, segments } = email;
  const lists: Lists = {
    to: truncateList(email.to, listBytesMax.to),
    cc: truncateList(email.cc, listBytesMax.cc),
    headers: truncateList(email.headers, listBytesMax.headers),
    references: truncateList(email.references, listBytesMax.references),
  };
  const bodies = { html, text, strippedText, strippedHtml, segments };
  return { ...lists, ...fitBodies(bodies, limits.emailBytes - otherBytes - bytesInResponse(lists)) };
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
  return [...truncateList([...list].reverse(), bytes)].reverse();
}

function truncateList<T>(list: readonly T[], bytesMax: number): readonly T[] {
  if (bytesInResponse(list) <= bytesMax) return list;
  let budget = bytesMax;
  const end = list.findIndex((one) => {
    budget -= bytesInResponse(one);
    return budget < 0;
  });
  return list.slice(0, end);
}

/** Leaves out the stripped html, then the segments, then the stripped text; then cuts text and html. */
function fitBodies(bodies: Bodies, budget: number): Bodies {
  const { html, text } = bodies;
  // Two bodies of this length fit whatever characters they have.
  const cut = Math.floor(budget / 2 / responseBytesMaxPerByte) - 100;
  const reductions: readonly Partial<Bodies>[] = [
    {},
    { strippedHtml: null },
    { segments: [] },
    { strippedText: null },
    { html: html && truncateText(html, cut), text: text && truncateText(text, cut) },
  ];
  let fitted = bodies;
  for (const change of reductions) {
    fitted = { ...fitted, ...change };
    if (fits(fitted, budget)) break;
  }
  return fitted;
}

function fits(bodies: Bodies, budget: number): boolean {
  const { html, text, strippedText, strippedHtml, segments } = bodies;
  const texts = [html, text, strippedText, strippedHtml, ...segments.map((segment) => segment.text)];
  const characters = texts.reduce((sum, body) => sum + (body?.length ?? 0), 0);
  // Most mail is far below the budget, and a character takes a byte at least: serializing is seldom necessary.
  if (characters * responseBytesMaxPerByte + texts.length * framingBytes < budget) return true;
  if (characters > budget) return false;
  return bytesInResponse(bodies) <= budget;
}
