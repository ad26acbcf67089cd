/** The fields of a request body, found in its JSON Schema. */
import * as z from 'zod';

export type FieldPath = readonly (string | number)[];

export interface StringField {
  readonly path: FieldPath;
  readonly maxLength: number | null;
}

interface Schema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly minLength?: number;
  readonly maximum?: number;
  readonly minimum?: number;
  readonly maxItems?: number;
  readonly minItems?: number;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

export interface BoundedField {
  readonly path: FieldPath;
  /** Values at a bound, and values one beyond it. */
  readonly within: readonly unknown[];
  readonly beyond: readonly unknown[];
}

interface Field {
  readonly path: FieldPath;
  readonly schema: Schema;
}

/** The name of a member of a record. */
const memberName = 'X-Field';

/** The places of a body that hold a value, the body itself first. */
export function fieldPaths(body: z.ZodType): FieldPath[] {
  const paths = fieldsOf(body).map(({ path }) => path);
  return [...new Map(paths.map((path) => [path.join('.'), path])).values()];
}

export function stringFields(body: z.ZodType): StringField[] {
  return fieldsOf(body).flatMap(({ path, schema }) =>
    schema.type === 'string' && schema.enum === undefined && schema.const === undefined
      ? [{ path, maxLength: schema.maxLength ?? null }]
      : [],
  );
}

/** The fields with a bound of length, number or items, with values at their bounds. */
export function boundedFields(schema: z.ZodType): BoundedField[] {
  return fieldsOf(schema).flatMap(({ path, schema: { type, ...bounds } }) => {
    const text = (length: number | undefined) => (length === undefined ? [] : ['a'.repeat(length)]);
    const list = (length: number | undefined) => (length === undefined ? [] : [Array(length).fill(null)]);
    const number = (value: number | undefined) => (value === undefined ? [] : [value]);
    const { maxLength, minLength, maximum, minimum, maxItems, minItems } = bounds;
    const next = (bound: number | undefined, by: number) => (bound === undefined ? undefined : bound + by);
    // Integers without a bound have those that JavaScript counts to.
    const isUnbounded = (bound: number | undefined) => Math.abs(bound ?? 0) === Number.MAX_SAFE_INTEGER;
    const [most, least] = [maximum, minimum].map((bound) => (isUnbounded(bound) ? undefined : bound));
    const within = [
      ...text(maxLength),
      ...text(minLength),
      ...list(maxItems),
      ...list(minItems),
      ...number(most),
      ...number(least),
    ];
    const beyond = [
      ...text(next(maxLength, 1)),
      ...text(minLength ? minLength - 1 : undefined),
      ...list(next(maxItems, 1)),
      ...list(minItems ? minItems - 1 : undefined),
      ...number(next(most, 1)),
      ...number(next(least, -1)),
    ];
    return type !== undefined && beyond.length > 0 ? [{ path, within, beyond }] : [];
  });
}

function fieldsOf(body: z.ZodType): Field[] {
  const root = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
  return fieldsWithin(root, [], root);
}

function fieldsWithin(schema: Schema, path: FieldPath, root: Schema): Field[] {
  const { $ref, properties = {}, additionalProperties: members, items, anyOf = [] } = schema;
  const named = $ref && root.$defs?.[$ref.slice('#/$defs/'.length)];
  return [
    { path, schema },
    ...(named ? fieldsWithin(named, path, root) : []),
    ...Object.entries(properties).flatMap(([name, inner]) => fieldsWithin(inner, [...path, name], root)),
    ...(typeof members === 'object' ? fieldsWithin(members, [...path, memberName], root) : []),
    ...(items ? fieldsWithin(items, [...path, 0], root) : []),
    ...anyOf.flatMap((inner) => fieldsWithin(inner, path, root)),
  ];
}

/** A copy of the body with a value at the path; what is in the way is replaced. */
export function withField(body: unknown, [name, ...rest]: FieldPath, value: unknown): unknown {
  if (name === undefined) return value;
  if (typeof name === 'number') return [withField(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const object: Record<string, unknown> =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
  return { ...object, [name]: withField(object[name], rest, value) };
}
