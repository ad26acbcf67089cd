/** Converts zod schemas to JSON Schema for the OpenAPI document, with named components and examples. */
import * as z from 'zod';

export type Json = { readonly [name: string]: unknown };

/** Converts schemas and collects the named ones. */
export interface SchemaCollector {
  /** The JSON Schema of a schema; a named one (`.meta({ id })`) is a reference to `components`. */
  describe(schema: z.ZodType): Json;
  /** A value that the schema accepts, from the `examples` of its parts. */
  exampleOf(schema: Json): unknown;
  /** The named schemas that were described. */
  readonly components: Readonly<Record<string, Json>>;
}

const referencePrefix = '#/components/schemas/';

/** @throws Error when two different schemas have the same name */
export function schemaCollector(): SchemaCollector {
  const components: Record<string, Json> = {};

  function describe(schema: z.ZodType): Json {
    const { $defs = {}, ...rest } = jsonSchema(schema) as Json & { $defs?: Readonly<Record<string, Json>> };
    for (const [name, component] of Object.entries($defs)) {
      const known = components[name];
      if (known && JSON.stringify(known) !== JSON.stringify(component)) {
        throw new Error(`two schemas have the name ${name}`);
      }
      components[name] = component;
    }
    return rest;
  }

  function exampleOf(schema: Json): unknown {
    const { $ref, examples, properties, items, anyOf, oneOf } = schema as JsonSchema;
    if (examples) return examples[0];
    if (schema.const !== undefined) return schema.const;
    if ($ref) return exampleOf(components[$ref.slice(referencePrefix.length)] ?? {});
    if (schema.enum) return (schema.enum as readonly unknown[])[0];
    const alternative = (anyOf ?? oneOf)?.[0];
    if (alternative) return exampleOf(alternative);
    if (items) return [exampleOf(items)];
    if (properties) {
      return Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, exampleOf(inner)]));
    }
    return schema.type === 'boolean' ? true : null;
  }

  return { describe, exampleOf, components };
}

interface JsonSchema {
  readonly $ref?: string;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Json>>;
  readonly items?: Json;
  readonly anyOf?: readonly Json[];
  readonly oneOf?: readonly Json[];
}

/** The input side of a schema: requests are transformed when they are parsed, responses are not. */
function jsonSchema(schema: z.ZodType): Json {
  const { $schema, ...whole } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      // zod leaves the examples of transformed schemas out.
      const examples = z.globalRegistry.get(zodSchema)?.examples;
      if (Array.isArray(examples)) jsonSchema.examples = examples;
      // The format or type already says it.
      if (jsonSchema.format === 'date-time' || jsonSchema.type === 'integer') delete jsonSchema.pattern;
    },
  });
  return JSON.parse(JSON.stringify(whole).replaceAll('"#/$defs/', `"${referencePrefix}`));
}
