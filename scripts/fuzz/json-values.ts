/** JSON values from a schema, and changes to them. */
import { lookalikes } from '../../test/support/lookalikes.ts';
import { pickFrom, type Random } from '../random.ts';

/** JSON Schema, as far as the OpenAPI document uses it. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly items?: JsonSchema;
  readonly maxItems?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface ValueSource {
  readonly random: Random;
  readonly schemas: Readonly<Record<string, JsonSchema>>;
  /** An id with a prefix such as `thr`. */
  id(prefix: string): string;
  /** A value for a property whose meaning its schema does not say, such as a sender; undefined: there is none. */
  hint(property: string): unknown;
}

const depthMax = 8;

/** A value that is valid by its schema. */
export function makeValue(schema: JsonSchema, source: ValueSource, property = '', depth = 0): unknown {
  const { random } = source;
  const hint = source.hint(property);
  if (hint !== undefined && random.below(8) > 0) return hint;
  if (schema.$ref) {
    const named = source.schemas[schema.$ref.split('/').at(-1) ?? ''];
    return named && depth < depthMax ? makeValue(named, source, property, depth + 1) : null;
  }
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return pickFrom(random, schema.enum);
  if (schema.anyOf) return makeValue(pickFrom(random, schema.anyOf), source, property, depth + 1);
  const type = pickFrom(random, [schema.type ?? 'null'].flat());
  switch (type) {
    case 'object':
      return objectOf(schema, source, depth);
    case 'array': {
      const length = random.below(Math.min(schema.maxItems ?? 4, 4) + 1);
      const items = schema.items ?? {};
      return Array.from({ length }, () => makeValue(items, source, '', depth + 1));
    }
    case 'integer':
    case 'number': {
      const { minimum = 0, maximum = 1_000_000 } = schema;
      const [least, most] = [Math.max(minimum, 0), Math.min(maximum, 1_000_000)];
      return least + random.below(most - least + 1);
    }
    case 'boolean':
      return random.below(2) === 0;
    case 'string':
      return stringOf(schema, source);
    default:
      return null;
  }
}

function objectOf(schema: JsonSchema, source: ValueSource, depth: number): Record<string, unknown> {
  const { properties = {}, required = [], additionalProperties, allOf = [] } = schema;
  const bases = allOf.map((base) => makeValue(base, source, '', depth) as object);
  const named = Object.entries(properties)
    .filter(([name]) => required.includes(name) || source.random.below(3) === 0)
    .map(([name, inner]) => [name, makeValue(inner, source, name, depth + 1)]);
  const others =
    typeof additionalProperties === 'object'
      ? Array.from({ length: source.random.below(3) }, (_, at) => [
          `X-Name-${at}`,
          makeValue(additionalProperties, source, '', depth + 1),
        ])
      : [];
  return Object.assign({}, ...bases, Object.fromEntries([...named, ...others]));
}

function stringOf(
  { pattern, format, minLength = 0, maxLength = 40 }: JsonSchema,
  source: ValueSource,
): string {
  const { random } = source;
  const prefix = /([a-z]{3})_\[0-9a-f\]/.exec(pattern ?? '')?.[1];
  if (prefix) return source.id(prefix);
  if (format === 'date-time') return new Date(Date.now() + random.below(40) * 86_400_000).toISOString();
  const length = minLength + random.below(Math.max(Math.min(maxLength, 60) - minLength, 0) + 1);
  return random.below(2) === 0
    ? random.token(length)
    : hostileString(random).slice(0, length).padEnd(minLength, 'a');
}

const pieces = [
  '\0',
  '\x1f',
  '\r\n',
  '"',
  '\\',
  'é',
  '😀',
  '\ud800',
  '\u202e',
  '\ufeff',
  'İ',
  '<',
  '@',
  '%',
  '#',
  '__proto__',
  ' ',
  '=?utf-8?q?=0D=0A?=',
  '../',
  "' OR 1",
  '{{a}}',
  'a',
] as const;

/** Up to a few hundred hostile characters, rarely many. */
export function hostileString(random: Random): string {
  const length = random.below(40) === 0 ? random.below(3_000) : random.below(40);
  const piece = random.pick(pieces);
  return random.below(2) === 0
    ? piece.repeat(length)
    : Array.from({ length }, () => random.pick(pieces)).join('');
}

/** The value with one random part of it deleted, added or replaced. */
export function changed(value: unknown, source: ValueSource): unknown {
  const { random } = source;
  if (Array.isArray(value) && value.length > 0 && random.below(5) > 0) {
    const at = random.below(value.length);
    return value.map((item, index) => (index === at ? changed(item, source) : item));
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return changedObject(value, source);
  }
  return wildValue(source);
}

function changedObject(value: object, source: ValueSource): unknown {
  const { random } = source;
  const names = Object.keys(value);
  if (names.length === 0) return wildValue(source);
  const name = pickFrom(random, names);
  switch (random.below(6)) {
    case 0:
      return Object.fromEntries(Object.entries(value).filter(([other]) => other !== name));
    case 1:
      return { ...value, [hostileString(random).slice(0, 50)]: wildValue(source) };
    case 2:
      return { ...value, [name]: wildValue(source) };
    default:
      return Object.fromEntries(
        Object.entries(value).map(([other, inner]) => [
          other,
          other === name ? changed(inner, source) : inner,
        ]),
      );
  }
}

const idPrefixes = ['eml', 'thr', 'spc', 'dom', 'att', 'whk', 'key', 'sup', 'dlv', 'xxx'] as const;

export function wildValue(source: ValueSource, depth = 0): unknown {
  const { random } = source;
  switch (random.below(depth > 2 ? 8 : 11)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return random.pick([0, -1, 1.5, 1e308, 2 ** 53, -0, 101, 1e-7]);
    case 3:
      return source.id(random.pick(idPrefixes));
    case 4:
      return random.pick([
        '',
        ' ',
        'none',
        '*',
        'null',
        '2026-02-30T00:00:00Z',
        'http://127.0.0.1/',
        'a@b.test',
      ]);
    case 5:
    case 6:
      return hostileString(random);
    case 7:
      return pickFrom(random, lookalikes);
    case 8:
      return Array.from({ length: random.below(random.pick([3, 300])) }, () => wildValue(source, depth + 1));
    case 9:
      return Object.fromEntries(
        Array.from({ length: random.below(4) }, () => [
          hostileString(random).slice(0, 20),
          wildValue(source, depth + 1),
        ]),
      );
    default:
      return nested(random.below(2_000));
  }
}

function nested(depth: number): unknown {
  let value: unknown = [];
  for (let at = 0; at < depth; at++) value = [value];
  return value;
}
