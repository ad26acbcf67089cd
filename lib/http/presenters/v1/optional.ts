/** Optional fields of version 1: absent where they have no value, never null. */

/** A property with a value; none where the value is null, undefined or empty text. */
export function optional<Name extends string, Value extends string | number>(
  name: Name,
  value: Value | null | undefined,
): { [Key in Name]?: Value } {
  const present: { [Key in Name]?: Value } = {};
  if (value !== null && value !== undefined && value !== '') present[name] = value;
  return present;
}
