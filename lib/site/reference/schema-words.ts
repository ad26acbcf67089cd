/** Types and limits of JSON schemas in words. */
import { type JsonObject, listOf, objectOf, referenceName } from './document.ts';

/** How a name of a schema is shown. */
export type NameFormat = (name: string) => string;

/** `string or null`, `array of Address`. Values of enumerations are left to `valuesOf`. */
export function typeInWords(schema: JsonObject, format: NameFormat): string {
  const name = referenceName(schema);
  if (name !== null) return format(name);
  const { anyOf, oneOf, allOf, items, type } = schema;
  const choices = [anyOf, oneOf, allOf].find(Array.isArray);
  if (choices) {
    const words = listOf(choices).map((choice) => typeInWords(choice, format));
    return [...new Set(words)].join(allOf ? ' and ' : ' or ');
  }
  if (type === 'array') return `array of ${typeInWords(objectOf(items), format)}`;
  if (Array.isArray(type)) return type.join(' or ');
  if (typeof type === 'string') return type;
  if ('const' in schema) return schema.const === null ? 'null' : typeof schema.const;
  return 'enum' in schema ? 'string' : 'any';
}

/** The values of an enumeration or constant, also where it may be null. */
export function valuesOf(schema: JsonObject): readonly string[] {
  if (Array.isArray(schema.enum)) return schema.enum.map(String);
  if ('const' in schema) return [String(schema.const)];
  const choices = listOf(schema.anyOf ?? schema.oneOf);
  if (choices.length === 0 || !choices.some((choice) => 'enum' in choice || 'const' in choice)) return [];
  return choices.flatMap(valuesOf);
}

/** `at most 255 characters`, `default 20`; empty: no limits. */
export function limitsOf(schema: JsonObject): string {
  const { format, minLength, maxLength, minimum, maximum, minItems, maxItems, default: value } = schema;
  const parts = [
    typeof format === 'string' ? format : null,
    range(minLength, maxLength, ' characters'),
    range(minItems, maxItems, ' items'),
    range(minimum, maximum, ''),
    value === undefined || value === null || typeof value === 'object' ? null : `default ${String(value)}`,
  ];
  const own = parts.filter((part) => part !== null);
  if (own.length > 0) return own.join(', ');
  const choices = listOf(schema.anyOf ?? schema.oneOf).filter(({ type }) => type !== 'null');
  const [only] = choices;
  return only && choices.length === 1 && referenceName(only) === null ? limitsOf(only) : '';
}

function range(least: unknown, most: unknown, unit: string): string | null {
  // The bounds of an integer that has none.
  const isGiven = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (!isGiven(least) && !isGiven(most)) return null;
  const shown = (bound: unknown) => (typeof bound === 'number' ? bound.toLocaleString('en') : '');
  if (!isGiven(most)) return `at least ${shown(least)}${unit}`;
  return isGiven(least) ? `${shown(least)} to ${shown(most)}${unit}` : `at most ${shown(most)}${unit}`;
}
