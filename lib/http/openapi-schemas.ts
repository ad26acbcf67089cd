/** Converts zod schemas to JSON Schema for the OpenAPI document, with named components and examples. */
import * as z from 'zod';
import { sharedTypeOf } from './openapi-shared-types.ts';
import { exampleTimestamp } from './schemas.ts';

export type Json = { readonly [name: string]: unknown };

/** Converts schemas and collects the named ones. */
export interface SchemaCollector {
  /**
   * The JSON Schema of a schema; a named one (`.meta({ id })`) is a reference to `components`.
   *
   * @param name of the component for the body of a request, which has no id; its example is beside it
   */
  describe(schema: z.ZodType, name?: string): Json;
  /** The named schemas that were described. */
  readonly components: Readonly<Record<string, Json>>;
}

export const referencePrefix = '#/components/schemas/';

/**
 * @param options.prefix is left out of names: the document of version 1 has no other `Email` than `V1Email`
 * @throws Error when two different schemas have the same name
 */
export function schemaCollector({ prefix = '' }: { prefix?: string } = {}): SchemaCollector {
  const components: Record<string, Json> = {};

  function add(name: string, component: Json): Json {
    const known = components[name];
    if (known && JSON.stringify(known) !== JSON.stringify(component)) {
      throw new Error(`two schemas have the name ${name}`);
    }
    components[name] = component;
    return { $ref: `${referencePrefix}${name}` };
  }

  const documented = (schema: Json) => withNames(schema, { prefix, add }) as Json;

  function describe(schema: z.ZodType, name?: string): Json {
    const { $defs = {}, ...rest } = jsonSchema(schema) as Json & { $defs?: Readonly<Record<string, Json>> };
    for (const [id, component] of Object.entries($defs)) add(shortName(id, prefix), documented(component));
    if (name === undefined) return documented(rest);
    const { examples, ...component } = rest;
    return add(name, documented(component));
  }

  return { describe, components };
}

/**
 * A value that a schema accepts, from the `examples` of its parts.
 *
 * @param components the schemas that it may refer to, by name
 */
export function exampleOf(schema: Json, components: Readonly<Record<string, Json>>): unknown {
  const { $ref, examples, properties, items, anyOf, oneOf, allOf } = schema as JsonSchema;
  const of = (part: Json) => exampleOf(part, components);
  if (examples) return examples[0];
  if (schema.const !== undefined) return schema.const;
  if ($ref) return of(components[$ref.slice(referencePrefix.length)] ?? {});
  if (schema.enum) return (schema.enum as readonly unknown[])[0];
  if (properties ?? allOf) {
    const own = Object.entries(properties ?? {}).map(([name, inner]) => [name, of(inner)]);
    return Object.assign({}, ...(allOf ?? []).map(of), Object.fromEntries(own));
  }
  const alternative = (anyOf ?? oneOf)?.[0];
  if (alternative) return of(alternative);
  if (items) return [of(items)];
  if (schema.type === 'string' && schema.format === 'date-time') return exampleTimestamp;
  return schema.type === 'boolean' ? true : null;
}

interface JsonSchema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
  readonly allOf?: readonly Json[];
}

const shortName = (name: string, prefix: string): string =>
  name.startsWith(prefix) ? name.slice(prefix.length) : name;

const definitions = '#/$defs/';

/** A schema with references to components, also in place of shared types. */
function withNames(
  value: unknown,
  context: { readonly prefix: string; add(name: string, component: Json): Json },
): unknown {
  if (typeof value === 'string') {
    return value.startsWith(definitions)
      ? `${referencePrefix}${shortName(value.slice(definitions.length), context.prefix)}`
      : value;
  }
  if (Array.isArray(value)) return value.map((inner) => withNames(inner, context));
  if (typeof value !== 'object' || value === null) return value;
  const shared = sharedTypeOf(value as Json);
  if (shared) {
    return { ...context.add(shortName(shared.name, context.prefix), shared.component), ...shared.own };
  }
  const whole = withoutNullExample(nullableAsType(value as Json));
  return Object.fromEntries(Object.entries(whole).map(([key, inner]) => [key, withNames(inner, context)]));
}

/** The example of a scalar that may be null is null where there is no other (`exampleOf`). */
function withoutNullExample(schema: Json): Json {
  const { examples, ...rest } = schema;
  const isNull = Array.isArray(rest.type) && Array.isArray(examples) && examples[0] === null;
  return isNull ? rest : schema;
}

const scalarTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'number', 'boolean']);

/** `anyOf` of a scalar and null as one schema of both types, where the scalar is none that has a name. */
function nullableAsType(schema: Json): Json {
  const { anyOf, ...own } = schema;
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema;
  const [scalar, { type }] = anyOf as [Json, Json];
  const isNamed = 'enum' in scalar || 'const' in scalar || sharedTypeOf(scalar) !== null;
  if (type !== 'null' || !scalarTypes.has(scalar.type) || isNamed) return schema;
  return { ...scalar, ...own, type: [scalar.type, 'null'] };
}

/** The input side of a schema: requests are transformed when they are parsed, responses are not. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...whole } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // zod leaves the examples of transformed schemas out.
      const { examples, maximum } = z.globalRegistry.get(zodSchema) ?? {};
      if (Array.isArray(examples)) jsonSchema.examples = examples;
      // zod gives every integer the bounds to which JavaScript counts.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER && maximum === undefined) delete jsonSchema.maximum;
      // The format or type already says it.
      if (jsonSchema.format === 'date-time' || jsonSchema.type === 'integer') delete jsonSchema.pattern;
      const discriminator = discriminatorOf(zodSchema);
      if (discriminator) Object.assign(jsonSchema, { discriminator });
      describeDefault(jsonSchema);
    },
  });
  return whole as Json;
}

/**
 * States the default in words. With the keyword `default`, generators such as openapi-typescript make a field required that a
 * request may leave out.
 */
function describeDefault(schema: z.core.JSONSchema.BaseSchema): void {
  const { default: value, description = '' } = schema;
  if (value === undefined) return;
  delete schema.default;
  if (description.includes('Default:')) return;
  schema.description =
    `${description} Default: \`${typeof value === 'string' ? value : JSON.stringify(value)}\`.`.trim();
}

/** The `discriminator` of a union of named objects, of which each has values of its own in one field (Discriminator Object of OpenAPI 3.1). */
function discriminatorOf({ _zod }: z.core.$ZodType): Json | null {
  const { type, discriminator, options } = _zod.def as z.core.$ZodDiscriminatedUnionDef;
  if (type !== 'union' || discriminator === undefined) return null;
  const mapping = options.flatMap((option) => {
    const id = z.globalRegistry.get(option)?.id;
    const values = option._zod.propValues?.[discriminator] ?? [];
    return [...values].map((value) => [String(value), `${definitions}${id}`] as const);
  });
  return { propertyName: discriminator, mapping: Object.fromEntries(mapping) };
}

/** A body of JSON; what it looks like follows from the examples of its parts. */
export function jsonBody(body: z.ZodType, schemas: SchemaCollector): Json {
  return { 'application/json': { schema: schemas.describe(body) } };
}
