/** The parameters in the OpenAPI documents: those that several operations have are components. */
import type * as z from 'zod';
import type { Contract } from './contract.ts';
import { exampleOf, type Json, type SchemaCollector } from './openapi-schemas.ts';
import { pascalCase } from './operation-names.ts';

/** The parameters of a document. */
export interface Parameters {
  readonly components: Json;
  of(contract: Contract): Json[];
}

/** @param operations those of the document */
export function describeParameters(operations: readonly Contract[], schemas: SchemaCollector): Parameters {
  const described = new Map(operations.map((contract) => [contract, parametersOf(contract, schemas)]));
  const uses = Map.groupBy([...described.values()].flat(), (parameter) => JSON.stringify(parameter));
  const components: Record<string, Json> = {};
  const names = new Map<string, string>();
  for (const [json, [parameter, ...others]] of uses) {
    // Such as `QueryLimit`: schemas have names such as `SpaceId`.
    const name = pascalCase(`${String(parameter?.in)}-${String(parameter?.name)}`);
    // Two parameters may have one name: `limit` has another maximum in the pacing queue.
    if (!parameter || others.length === 0 || name in components) continue;
    components[name] = parameter;
    names.set(json, name);
  }
  return {
    components,
    of: (contract) =>
      (described.get(contract) ?? []).map((parameter) => {
        const name = names.get(JSON.stringify(parameter));
        return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
      }),
  };
}

const requestId: Json = {
  name: 'X-Request-ID',
  in: 'header',
  description: 'Returned in the response. An invalid value is replaced.',
  schema: { type: 'string', pattern: '^[A-Za-z0-9._:-]{1,128}$' },
};

function parametersOf({ params, query, requestHeaders = {} }: Contract, schemas: SchemaCollector): Json[] {
  return [
    ...fieldsOf(params, 'path', schemas),
    ...fieldsOf(query, 'query', schemas),
    ...Object.entries(requestHeaders).map(([name, { description, ...lengths }]) => ({
      name,
      in: 'header',
      description,
      schema: { type: 'string', ...lengths },
    })),
    requestId,
  ];
}

function fieldsOf(fields: z.ZodObject, location: 'path' | 'query', schemas: SchemaCollector): Json[] {
  const { properties = {}, required = [] } = schemas.describe(fields) as {
    readonly properties?: Readonly<Record<string, Json>>;
    readonly required?: readonly string[];
  };
  return Object.entries(properties).map(([name, property]) => {
    const { description, examples, ...schema } = property;
    return {
      name,
      in: location,
      required: location === 'path' || required.includes(name),
      ...(description !== undefined && { description }),
      schema,
      ...(location === 'path' && { example: exampleOf(property, schemas.components) }),
    };
  });
}
