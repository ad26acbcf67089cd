/** The groups of fields that machine-readable reports consist of (RFC 3464 2.1, RFC 5965 3). */
import { normalizeAddress } from './addresses.ts';

/** Fields of one group in order: lower-case names, unfolded values. */
export type FieldGroup = readonly (readonly [name: string, value: string])[];

const fieldLine = /^([A-Za-z][A-Za-z0-9-]{1,76}):[ \t]*(.*)$/;

/** Longer values say nothing more; folded lines beyond are read past. */
const valueCharactersMax = 4000;

/** Every group of fields in a text; what is no field between them is passed over. */
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

/** The first value of a field, null where the group has none or it is empty. */
export function fieldValue(group: FieldGroup, name: string): string | null {
  return group.find(([key, value]) => key === name && value !== '')?.[1] ?? null;
}

/** The address in a value such as `rfc822; <a@b>`; null where none is in it, as when it was made unrecognisable. */
export function addressIn(value: string | null): string | null {
  const [found] =
    /(?:"(?:[^"\\]|\\.){1,64}"|[^\s<>;:,"'()[\]]{1,256})@[^\s<>;:,"'()[\]@]+/.exec(
      value?.slice(0, valueCharactersMax) ?? '',
    ) ?? [];
  if (found === undefined) return null;
  const address = found.replace(/\.+$/, '');
  // Local parts beyond 64 octets exist in the wild; only the domain must be one.
  return normalizeAddress(address) ?? normaliseDomain(address);
}

function normaliseDomain(address: string): string | null {
  const at = address.lastIndexOf('@');
  const bare = normalizeAddress(`x${address.slice(at)}`);
  return bare === null ? null : `${address.slice(0, at)}${bare.slice(1)}`;
}
