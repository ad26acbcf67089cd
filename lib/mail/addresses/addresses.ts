/** Email addresses that callers give: strict parsing, formatting, comparison (RFC 5321, RFC 5322 3.4). */
import { domainToASCII } from 'node:url';

/** An address as stored: the local part as written, the domain in lower-case ASCII. */
export interface Address {
  /** Display name, decoded; null when there is none. */
  readonly name: string | null;
  readonly address: string;
}

export const addressCharactersMax = 320;
const localOctetsMax = 64;
const domainOctetsMax = 253;

const dotAtom = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** A local part that needs no quotes (RFC 6531 3.3 allows letters of any script). */
const plainLocal = /^[^\s"(),:;<>@[\]\\.]+(?:\.[^\s"(),:;<>@[\]\\.]+)*$/;
const quotedString = /^"(?:[^"\\]|\\.)*"$/;
const domainLabel = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/;
/** Letters of any script, digits, hyphens, dots, and the code points that UTS 46 maps to these. */
const domainText = /^[\p{L}\p{M}\p{N}.\-\u3002\uff0e\uff61\u200c\u200d]+$/u;

/**
 * Parses `a@b`, `<a@b>`, `Name <a@b>` or `"Name" <a@b>`; null when the text is not one address.
 * International domains are converted to ASCII. A non-ASCII local part is refused: SES does not support SMTPUTF8.
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

/** A display name as callers give it, without quotes around it: some programs write `'Anna'`. Null when nothing is left. */
export function displayName(text: string): string | null {
  const name = text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .replace(/^'([^']*)'$/, '$1')
    .trim();
  return name === '' ? null : name;
}

/** The bare address with its domain in lower-case ASCII, or null when it is invalid (RFC 5321 4.1.2, 4.5.3.1). */
export function normalizeAddress(text: string): string | null {
  if (text.length > addressCharactersMax) return null;
  const { local, host } = splitAddress(text);
  const domain = local === '' ? null : asciiDomain(host);
  if (domain === null || !isLocalPart(local)) return null;
  const address = `${local}@${domain}`;
  return address.length > addressCharactersMax ? null : address;
}

/** A host name of at least two labels in lower-case ASCII, or null (RFC 1123 2.1, UTS 46). */
export function asciiDomain(text: string): string | null {
  if (!domainText.test(text)) return null;
  const isAscii = /^[\p{ASCII}]*$/u.test(text);
  // Only international names go through the URL algorithm, which reads `1.2` as an IPv4 address.
  const domain = isAscii ? text.toLowerCase() : domainToASCII(text);
  const labels = domain.split('.');
  const isHost =
    domain.length <= domainOctetsMax &&
    labels.length >= 2 &&
    labels.every((label) => label.length <= 63 && domainLabel.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isHost ? domain : null;
}

/** `a@b`, `Name <a@b>` or `"Name, with specials" <a@b>`: for display and the API, not encoded for transport. */
export function formatAddress({ name, address }: Address): string {
  if (name === null) return address;
  const isPlain = /^[\p{L}\p{M}\p{N} !#$%&'*+/=?^_`{|}~-]+$/u.test(name);
  return `${isPlain ? name : `"${name.replace(/["\\]/g, '\\$&')}"`} <${address}>`;
}

/** The host of an address as written: the text after the last `@`, or all of it if there is none. */
export function hostOf(address: string): string {
  return splitAddress(address).host;
}

/** An address split at its last `@`. Without one, the local part is empty. */
export function splitAddress(address: string): { readonly local: string; readonly host: string } {
  const at = address.lastIndexOf('@');
  return { local: address.slice(0, Math.max(at, 0)), host: address.slice(at + 1) };
}

/**
 * The key by which spellings of one address compare equal: case, quotes and escapes of the local part, the form of the
 * domain and dots after it do not count (RFC 5321 2.4, 4.1.2; RFC 1034 3.1).
 */
export function addressKey(address: string): string {
  const { local, host } = splitAddress(address.trim());
  if (local === '') return address.trim().toLowerCase();
  return `${localKey(local)}@${hostKey(host)}`;
}

function localKey(local: string): string {
  const isQuoted = quotedString.test(local);
  const key = (isQuoted ? unquote(local) : local).normalize('NFC').toLowerCase();
  return isQuoted && !plainLocal.test(key) ? `"${key.replace(/["\\]/g, '\\$&')}"` : key;
}

function hostKey(host: string): string {
  let end = host.length;
  while (end > 0 && host[end - 1] === '.') end--;
  const name = host.slice(0, end);
  return asciiDomain(name) ?? name.toLowerCase();
}

/** Each address once. The first spelling and name are kept. */
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

/** Removes surrounding quotes and the backslash escapes inside them. */
function unquote(text: string): string {
  const isQuoted = text.length >= 2 && text.startsWith('"') && text.endsWith('"');
  return isQuoted ? text.slice(1, -1).replace(/\\(.)/g, '$1') : text;
}
