import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { groups, operations } from '../../functions/operations.ts';
import { codesOf, exampleDeployment, openApiDocument } from '../../lib/http/openapi.ts';
import { eventSchema, eventSchemas } from '../../lib/http/presenters/events.ts';

const document = JSON.parse(JSON.stringify(openApiDocument({ operations, groups }, exampleDeployment)));
const committed = join(import.meta.dirname, '../../docs/openapi/v2.json');
const described = operations.map((contract) => ({
  contract,
  name: `${contract.method} ${contract.path}`,
  operation: document.paths[contract.path]?.[contract.method.toLowerCase()],
}));

/** Every object below a value, with its JSON pointer. */
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

const ajv = formats.default(new Ajv2020({ strict: false }));

describe('openApiDocument', () => {
  it('describes an API of version 3.1 with one server, bearer authentication and resolvable references', () => {
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

  it('describes every group, and names the file when a description is missing', () => {
    const used = [...new Set(operations.map(({ id }) => id.split('.')[0]))];
    expect(document.tags.map(nameOf)).toEqual(used);
    expect(Object.keys(groups).sort()).toEqual(used.sort());
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
    expect(() => openApiDocument({ operations, groups: {} }, exampleDeployment)).toThrow(
      'add it to `groups` in functions/operations.ts',
    );
  });

  it.each(described)('declares the parameters of $name', ({ contract, operation }) => {
    const names = (location: string) =>
      operation.parameters.filter((parameter: { in?: string }) => parameter.in === location).map(nameOf);
    const inPath = [...contract.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
    expect(names('path')).toEqual(inPath);
    expect(names('query')).toEqual(Object.keys(contract.query.shape));
    for (const { in: location, required } of operation.parameters)
      if (location === 'path') expect(required).toBe(true);
  });

  it.each(described)('declares the responses and every problem code of $name', ({ contract, operation }) => {
    const codes = Object.entries(operation.responses).flatMap(([status, response]) => {
      const problem = (response as { content?: Record<string, { schema: { allOf: unknown[] } }> }).content?.[
        'application/problem+json'
      ];
      const { properties } = (problem?.schema.allOf[1] ?? {}) as {
        properties?: { status: { const: number }; code: { enum: string[] } };
      };
      if (properties) expect(String(properties.status.const)).toBe(status);
      return properties?.code.enum;
    });
    expect(codes.filter(Boolean)).toEqual(codesOf(contract));
    for (const status of Object.keys(contract.responses)) expect(operation.responses).toHaveProperty(status);
    for (const response of Object.values(operation.responses)) {
      expect(response).toMatchObject({ headers: { 'X-Request-ID': {}, 'Cache-Control': {} } });
    }
  });

  it('declares 404 when a body names a Space', () => {
    const { responses } = document.paths['/api/v2/domains'].post;
    expect(JSON.stringify(responses['404'])).toContain('"not_found"');
    expect(document.paths['/api/v2/spaces'].post.responses).not.toHaveProperty('404');
  });

  it.each(described)('names every record and input of $name', ({ operation }) => {
    for (const { schema } of [
      ...contents(operation.requestBody),
      ...Object.values(operation.responses).flatMap(contents),
    ]) {
      expect(schema).toEqual(schema.allOf ? { allOf: expect.anything() } : { $ref: expect.any(String) });
    }
  });

  it('inlines no object into a schema', () => {
    const inlined = [...nodes(document.components.schemas)].filter(
      ([place, node]) =>
        typeof node.properties === 'object' && node.type === 'object' && place.split('/').length > 2,
    );
    expect(inlined.map(([place]) => place)).toEqual([]);
  });

  it.each(described)('has valid examples of $name', ({ contract, operation }) => {
    const bodies = contents(operation.requestBody);
    for (const { schema, example } of bodies) {
      const validate = ajv.compile({ ...schema, components: document.components });
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    }
    const responses = Object.entries(contract.responses).flatMap(([status, { body }]) =>
      contents(operation.responses[status]).map(({ example }) => ({ body, example })),
    );
    for (const { body, example } of responses) expect(body?.safeParse(example).error).toBeUndefined();
    const ofPath = operation.parameters.filter(({ in: location }: { in: string }) => location === 'path');
    for (const { example } of ofPath) expect(example).toMatch(/^[a-z]+_[0-9a-f]{32}$/);
    expect([...bodies, ...responses, ...ofPath].length).toBeGreaterThan(0);
  });

  it('describes the webhook of every event type, with a valid example', () => {
    expect(Object.keys(document.webhooks)).toEqual(Object.keys(eventSchemas));
    for (const [type, { post }] of Object.entries<Record<string, Described>>(document.webhooks)) {
      const [content] = contents(post?.requestBody);
      expect(content?.example).toMatchObject({ type });
      expect(eventSchema.safeParse(content?.example).error).toBeUndefined();
      expect(post?.parameters.map(nameOf)).toContain('Parley-Signature');
    }
  });

  it('contains JSON Schemas that compile', () => {
    const schemas = [...nodes(document)].filter(([place]) => /\/(schema|schemas\/\w+)$/.test(place));
    expect(schemas.length).toBeGreaterThan(10);
    for (const [place, schema] of schemas) {
      // References are from the root of the document.
      const validate = ajv.compile({ ...schema, components: document.components });
      expect(validate, place).toBeTypeOf('function');
    }
  });
});

interface Described {
  readonly parameters: { name: string }[];
  readonly requestBody: unknown;
}

interface Content {
  readonly schema: { readonly allOf?: unknown };
  readonly example?: unknown;
}

/** The content of a request or response, by media type. */
function contents(message: unknown): Content[] {
  return Object.values((message as { content?: Record<string, Content> } | undefined)?.content ?? {});
}

const nameOf = ({ name }: { name: string }): string => name;
