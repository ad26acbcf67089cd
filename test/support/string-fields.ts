/** The string fields of a request body, found in its JSON Schema. */
import * as z from 'zod';

export interface StringField {
  readonly path: readonly (string | number)[];
  readonly maxLength: number | null;
}

interface Schema {
  readonly type?: string;
  readonly maxLength?: number;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Schema>>;
}

/** The name of a member of a record. */
const memberName = 'X-Field';

export function stringFields(body: z.ZodType): StringField[] {
  const root = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Schema;
  return fieldsOf(root, [], root);
}

function fieldsOf(schema: Schema, path: readonly (string | number)[], root: Schema): StringField[] {
  const { $ref, type, properties = {}, additionalProperties: members, items, anyOf = [] } = schema;
  const named = $ref && root.$defs?.[$ref.slice('#/$defs/'.length)];
  return [
    ...(named ? fieldsOf(named, path, root) : []),
    ...(type === 'string' && schema.enum === undefined && schema.const === undefined
      ? [{ path, maxLength: schema.maxLength ?? null }]
      : []),
    ...Object.entries(properties).flatMap(([name, inner]) => fieldsOf(inner, [...path, name], root)),
    ...(typeof members === 'object' ? fieldsOf(members, [...path, memberName], root) : []),
    ...(items ? fieldsOf(items, [...path, 0], root) : []),
    ...anyOf.flatMap((inner) => fieldsOf(inner, path, root)),
  ];
}

/** A copy of the body with a value at the path; what is in the way is replaced. */
export function withField(body: unknown, [name, ...rest]: StringField['path'], value: string): unknown {
  if (name === undefined) return value;
  if (typeof name === 'number') return [withField(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const object: Record<string, unknown> =
    typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body } : {};
  return { ...object, [name]: withField(object[name], rest, value) };
}
