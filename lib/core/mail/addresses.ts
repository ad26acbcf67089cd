/** Email addresses: strict about what a caller asks us to send to (RFC 5321, RFC 5322 3.4). */
import { domainToASCII } from 'node:url';

/** An address as it is stored and shown: the local part as written, the domain in lower-case ASCII. */
export interface Address {
  /** Display name, decoded; null when there is none. */
  readonly name: string | null;
  readonly address: string;
}

const addressCharactersMax = 320;
const localOctetsMax = 64;
const domainOctetsMax = 253;

const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const quotedString = /^"(?:[^"\\]|\\.)*"$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** A domain may hold letters of any script, digits, hyphens and dots; everything else could only be an attempt at something. */
const domainText = /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61\u200c\u200d]+$/u;

/**
 * One address in any of the forms `a@b`, `<a@b>`, `Name <a@b>`, `"Name" <a@b>`, or null when it is not one.
 * International domains come back in ASCII form; a non-ASCII local part is refused, as SES has no SMTPUTF8.
 */
export function parseAddress(text: string): Address | null {
  const trimmed = text.trim();
  if (/\p{Cc}/u.test(trimmed)) return null;
  if (!trimmed.endsWith('>')) {
    const address = normalizeAddress(trimmed);
    return address === null ? null : { name: null, address };
  }
  const open = trimmed.lastIndexOf('<');
  if (open < 0) return null;
  const address = normalizeAddress(trimmed.slice(open + 1, -1).trim());
  if (address === null) return null;
  const name = unquote(trimmed.slice(0, open).trim()).trim();
  return { name: name === '' ? null : name, address };
}

/** The bare address with its domain in lower-case ASCII form, or null when it is not valid (RFC 5321 4.1.2, 4.5.3.1). */
export function normalizeAddress(text: string): string | null {
  if (text.length > addressCharactersMax) return null;
  const at = text.lastIndexOf('@');
  if (at < 1) return null;
  const local = text.slice(0, at);
  const domain = asciiDomain(text.slice(at + 1));
  if (domain === null || !isLocalPart(local)) return null;
  const address = `${local}@${domain}`;
  return address.length > addressCharactersMax ? null : address;
}

/** A host name of two labels or more in lower-case ASCII form, or null (RFC 1123 2.1, UTS 46). */
export function asciiDomain(text: string): string | null {
  if (!domainText.test(text)) return null;
  const isAscii = /^[\p{ASCII}]*$/u.test(text);
  // The URL algorithm is only asked about international names: it reads `1.2` as an IPv4 address.
  const domain = isAscii ? text.toLowerCase() : domainToASCII(text);
  const labels = domain.split('.');
  const isHost =
    domain.length <= domainOctetsMax &&
    labels.length >= 2 &&
    labels.every((label) => label.length <= 63 && domainLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isHost ? domain : null;
}

/** `a@b`, `Name <a@b>`, or `"Name, with specials" <a@b>`; for people and our own API, not encoded for the wire. */
export function formatAddress({ name, address }: Address): string {
  if (name === null) return address;
  const isPlain = /^[\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name);
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`;
}

/** What two spellings of one address have in common: compared without regard to case or to the domain's form. */
export function addressKey(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at + 1)}${asciiDomain(domain) ?? domain}`.toLowerCase();
}

/** The list with each address once; the first spelling and name win. */
export function uniqueAddresses<T extends Address>(addresses: readonly T[]): T[] {
  const byKey = new Map<string, T>();
  for (const entry of addresses) {
    const key = addressKey(entry.address);
    if (!byKey.has(key)) byKey.set(key, entry);
  }
  return [...byKey.values()];
}

function isLocalPart(local: string): boolean {
  return local.length <= localOctetsMax && (dotAtom.test(local) || isQuotedLocalPart(local));
}

function isQuotedLocalPart(local: string): boolean {
  return local.length > 2 && /^[\x20-\x7e]*$/.test(local) && quotedString.test(local);
}

/** Takes a pair of surrounding quotes off, and the backslashes that only they needed. */
function unquote(text: string): string {
  const isQuoted = text.length >= 2 && text.startsWith('"') && text.endsWith('"');
  return isQuoted ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}
