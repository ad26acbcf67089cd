/** Field groups of machine-readable reports (RFC 3464 2.1, RFC 5965 3). */
import { asciiDomain, normalizeAddress, splitAddress } from '../addresses/addresses.ts';

/** The fields of one group in order: lower-case names, unfolded values. */
export type FieldGroup = readonly (readonly [name: string, value: string])[];

const fieldLine = /^([A-Za-z][A-Za-z0-9-]{1,76}):[ \t]*(.*)$/;

/** Folded lines beyond this length are skipped. */
const valueCharactersMax = 4000;

/** The field groups in a text. Other lines separate groups. */
export function fieldGroups(text: string): FieldGroup[] {
  const groups: [string, string][][] = [];
  let group: [string, string][] = [];
  const close = () => {
    if (group.length > 0) groups.push(group);
    group = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const field = fieldLine.exec(line);
    const last = group.at(-1);
    if (field) group.push([(field[1] ?? '').toLowerCase(), (field[2] ?? '').trim()]);
    else if (last && /^[ \t]+\S/.test(line)) last[1] = unfold(last[1], line);
    else close();
  }
  close();
  return groups;
}

function unfold(value: string, line: string): string {
  return value.length > valueCharactersMax ? value : `${value} ${line.trim()}`.trim();
}

/** The first non-empty value of a field, or null. */
export function fieldValue(group: FieldGroup, name: string): string | null {
  return group.find(([key, value]) => key === name && value !== '')?.[1] ?? null;
}

/** The address in a value such as `rfc822; <a@b>`; null if there is none, as in a redacted value. */
export function addressIn(value: string | null): string | null {
  const [found] =
    /(?:"(?:[^"\\]|\\.){1,64}"|[^\s<>;:,"'()[\]]{1,256})@[^\s<>;:,"'()[\]@]+/.exec(
      value?.slice(0, valueCharactersMax) ?? '',
    ) ?? [];
  if (found === undefined) return null;
  const address = found.replace(/\.+$/, '');
  // Reports name local parts of over 64 octets; only the domain must be valid.
  return normalizeAddress(address) ?? normalizeDomain(address);
}

function normalizeDomain(address: string): string | null {
  const { local, host } = splitAddress(address);
  const domain = asciiDomain(host);
  return domain === null ? null : `${local}@${domain}`;
}
