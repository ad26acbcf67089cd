import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { codesOf, exampleDeployment, openApiDocument } from '../../lib/http/openapi.ts';

const document = JSON.parse(JSON.stringify(openApiDocument(operations, exampleDeployment)));
const committed = join(import.meta.dirname, '../../docs/openapi/v2.json');
const described = operations.map((contract) => ({
  contract,
  name: `${contract.method} ${contract.path}`,
  operation: document.paths[contract.path]?.[contract.method.toLowerCase()],
}));

/** Every object in the document, with the place it stands at. */
function* nodes(value: unknown, place = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) yield* nodes(inner, `${place}/${name}`);
}

const at = (pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value: Record<string, unknown> | undefined, name) => value?.[name] as never, document);

describe('docs/openapi/v2.json', () => {
  it('is the current OpenAPI document', () => {
    const text = readFileSync(committed, 'utf8');
    expect(text === `${JSON.stringify(document, null, 2)}\n`, 'refresh it with `npm run openapi`').toBe(true);
  });
});

describe('the OpenAPI document', () => {
  it('is OpenAPI 3.1 with one server, bearer authentication and nothing but known references', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Parley API', version: '2' },
      servers: [{ url: 'https://api.example.com' }],
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
    const broken = [...nodes(document)]
      .map(([, { $ref }]) => $ref)
      .filter((ref) => typeof ref === 'string' && at(ref) === undefined);
    expect(broken).toEqual([]);
  });

  it('has every operation once, under an id of its own', () => {
    const ids = [...nodes(document.paths)].flatMap(([, { operationId }]) => operationId ?? []);
    expect(ids.sort()).toEqual(operations.map(({ id }) => id).sort());
  });

  it.each(described)('declares the parameters of $name', ({ contract, operation }) => {
    const names = (place: string) =>
      operation.parameters.filter((parameter: { in?: string }) => parameter.in === place).map(nameOf);
    const inPath = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(names('path')).toEqual(inPath);
    expect(names('query')).toEqual(Object.keys(contract.query.shape));
    for (const { in: place, required } of operation.parameters)
      if (place === 'path') expect(required).toBe(true);
  });

  it.each(described)('declares the answers and every problem of $name', ({ contract, operation }) => {
    const codes = Object.values(operation.responses).flatMap((response) => {
      const problem = (response as { content?: Record<string, { schema: { allOf: unknown[] } }> }).content?.[
        'application/problem+json'
      ];
      return (problem?.schema.allOf[1] as { properties: { code: { enum: string[] } } } | undefined)
        ?.properties.code.enum;
    });
    expect(codes.filter(Boolean)).toEqual(codesOf(contract));
    for (const status of Object.keys(contract.responses)) expect(operation.responses).toHaveProperty(status);
    for (const response of Object.values(operation.responses)) {
      expect(response).toMatchObject({ headers: { 'X-Request-ID': {}, 'Cache-Control': {} } });
    }
  });

  it('holds JSON Schemas that compile, named ones and inline ones', () => {
    const ajv = formats.default(new Ajv2020({ strict: false }));
    const schemas = [...nodes(document)].filter(([place]) => /\/(schema|schemas\/\w+)$/.test(place));
    expect(schemas.length).toBeGreaterThan(10);
    for (const [place, schema] of schemas) {
      // References are from the root of the document.
      const validate = ajv.compile({ ...schema, components: document.components });
      expect(validate, place).toBeTypeOf('function');
    }
  });
});

const nameOf = ({ name }: { name: string }): string => name;
