import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { groups, operations } from '../../functions/operations.ts';
import { problemStatus } from '../../lib/core/problems.ts';
import { eventTypes, eventTypeTable } from '../../lib/core/webhooks/event-types.ts';
import { v1EventTypes } from '../../lib/core/webhooks/v1-format.ts';
import { exampleDeployment, openApiDocument } from '../../lib/http/openapi.ts';
import { exampleOf, type Json } from '../../lib/http/openapi-schemas.ts';
import { codesOf, v1CodesOf } from '../../lib/http/operation-codes.ts';
import { operationName, pascalCase } from '../../lib/http/operation-names.ts';
import { eventSchema } from '../../lib/http/presenters/events.ts';
import { v1WebhookBodies } from '../../lib/http/presenters/v1/webhook.ts';
import { v1ErrorStatus } from '../../lib/http/v1-error.ts';
import { basePathOf, versionOf } from '../../lib/http/versions.ts';

const documentOf = (version: 1 | 2) =>
  JSON.parse(JSON.stringify(openApiDocument({ operations, groups, version }, exampleDeployment)));
const documents = { 1: documentOf(1), 2: documentOf(2) };
const describedBy = (version: 1 | 2) =>
  operations
    .filter(({ path }) => versionOf(path) === version)
    .map((contract) => ({
      contract,
      name: `${contract.method} ${contract.path}`,
      operation: operationAt(version, contract.path, contract.method),
    }));

/** An operation with the parameters and responses that it refers to; a description of its own replaces that of a component. */
function operationAt(version: 1 | 2, path: string, method: string) {
  const { paths, components } = documents[version];
  const item = paths[path.slice(basePathOf(version).length)];
  const operation = item?.[method.toLowerCase()];
  const resolved = ({ $ref, ...own }: { $ref?: string }, of: Record<string, object>) => ({
    ...($ref && of[$ref.split('/').at(-1) ?? '']),
    ...own,
  });
  return {
    ...operation,
    parameters: [...item.parameters, ...(operation.parameters ?? [])].map((one: object) =>
      resolved(one, components.parameters),
    ),
    responses: Object.fromEntries(
      Object.entries<object>(operation.responses).map(([status, one]) => [
        status,
        resolved(one, components.responses),
      ]),
    ),
  };
}

/** Every object below a value, with its JSON pointer. */
function* nodes(value: unknown, place = '#'): Generator<[string, Record<string, unknown>]> {
  if (typeof value !== 'object' || value === null) return;
  yield [place, value as Record<string, unknown>];
  for (const [name, inner] of Object.entries(value)) yield* nodes(inner, `${place}/${name}`);
}

const at = (document: unknown, pointer: string): unknown =>
  pointer
    .slice(2)
    .split('/')
    .reduce((value: Record<string, unknown> | undefined, name) => value?.[name] as never, document as never);

describe.each([1, 2] as const)('docs/openapi/v%d.json', (version) => {
  it('is the current OpenAPI document', () => {
    const text = readFileSync(join(import.meta.dirname, `../../docs/openapi/v${version}.json`), 'utf8');
    const current = `${JSON.stringify(documents[version], null, 2)}\n`;
    expect(text === current, 'refresh it with `npm run openapi`').toBe(true);
  });
});

const ajv = formats.default(new Ajv2020({ strict: false }));

describe.each([1, 2] as const)('openApiDocument of version %d', (version) => {
  const document = documents[version];
  const described = describedBy(version);
  // Registered once: Ajv would compile what is referenced again for each schema.
  ajv.addSchema({ components: document.components }, `v${version}`);
  const compile = (schema: object) =>
    ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"v${version}#`)));

  it('describes an API of version 3.1 with one server, bearer authentication and resolvable references', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: { title: 'Parley API', version: String(version) },
      servers: [{ url: `https://api.example.com/api/v${version}` }],
      security: [{ bearer: [] }],
      components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
    });
    const broken = [...nodes(document)]
      .map(([, { $ref }]) => $ref)
      .filter((ref) => typeof ref === 'string' && at(document, ref) === undefined);
    expect(broken).toEqual([]);
  });

  it('has every operation once, under an id of its own', () => {
    const ids = [...nodes(document.paths)].flatMap(([, { operationId }]) => operationId ?? []);
    expect(ids.sort()).toEqual(described.map(({ contract }) => operationName(contract)).sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('repeats no base path, and no error response', () => {
    expect(Object.keys(document.paths).filter((path) => path.startsWith('/api/'))).toEqual([]);
    const repeated = [...nodes(document.paths)].filter(
      ([place, node]) => /\/responses\/[45]\d\d$/.test(place) && !('$ref' in node),
    );
    expect(repeated.map(([place]) => place)).toEqual([]);
  });

  it('gives inputs no `default`, of which generators make a required field', () => {
    const defaults = [...nodes(document)].filter(
      ([place, node]) => 'default' in node && !/(?:properties|responses)$/.test(place),
    );
    expect(defaults.map(([place]) => place)).toEqual([]);
  });

  it('has names in PascalCase, and a discriminator with every member for each union of objects', () => {
    const { schemas, parameters, responses } = document.components;
    const names = [schemas, parameters, responses].flatMap((components) => Object.keys(components));
    expect(names.filter((name) => !/^(?:[A-Z][a-z0-9]*)+$/.test(name.replace(/(?:ID|V1)/, '')))).toEqual([]);
    const unions = Object.values<Record<string, unknown>>(schemas).filter(({ oneOf }) => oneOf);
    for (const { oneOf, discriminator } of unions) {
      const { propertyName, mapping } = discriminator as { propertyName: string; mapping: object };
      expect(Object.values(mapping)).toEqual((oneOf as { $ref: string }[]).map(({ $ref }) => $ref));
      for (const [value, ref] of Object.entries<string>(mapping as Record<string, string>)) {
        const member = at(document, ref) as { properties: Record<string, { const: string }> };
        expect(member.properties[propertyName]?.const).toBe(value);
      }
    }
    expect(unions.length).toBe(version === 1 ? 0 : 2);
  });

  it('names bodies of requests after their operation', () => {
    for (const { contract, operation } of described) {
      const [content] = contents(operation.requestBody);
      const name = `${pascalCase(operation.operationId)}Body`;
      expect(content?.schema, contract.id).toEqual(
        contract.body ? { $ref: `#/components/schemas/${name}` } : undefined,
      );
    }
  });

  it('declares the 503 of the gateway on every operation, and its 429 beside that of the API', () => {
    for (const { name, operation } of described) {
      expect(operation.responses['503'], name).toEqual(document.components.responses.Unavailable);
      const { content, headers } = operation.responses['429'];
      expect(JSON.stringify(content['application/json']), name).toContain('GatewayError');
      expect(headers, name).toHaveProperty('Retry-After');
    }
    const { content } = document.components.responses.Unavailable;
    expect(Object.keys(content)).toEqual(['application/json']);
  });

  it('declares the 413 of the gateway on every operation with a body', () => {
    for (const { name, contract, operation } of described) {
      const tooLarge = JSON.stringify(operation.responses['413'] ?? null);
      expect(/GatewayError|RequestTooLarge/.test(tooLarge), name).toBe(contract.body !== null);
    }
  });

  it('describes every group, and names the file when a description is missing', () => {
    const groupsOf = (ids: string[]) => [...new Set(ids.map((id) => id.slice(0, id.lastIndexOf('.'))))];
    expect(document.tags.map(nameOf)).toEqual(
      groupsOf(described.map(({ contract }) => contract.id.replace(/^v1\./, ''))),
    );
    expect(Object.keys(groups).sort()).toEqual(groupsOf(operations.map(({ id }) => id)).sort());
    for (const { description } of document.tags) expect(description).toMatch(/\.$/);
    expect(() => openApiDocument({ operations, groups: {}, version }, exampleDeployment)).toThrow(
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
    const errors = Object.entries<Answer>(operation.responses)
      .filter(([, { content }]) => JSON.stringify(content ?? '').match(/schemas\/(Problem|ErrorBody)"/))
      .map(([status, { description }]) => ({
        status: Number(status),
        codes: [...(description.split(' Of the gateway')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, code]) =>
          String(code),
        ),
      }));
    const codes = errors.flatMap((error) => error.codes);
    expect(codes).toEqual(version === 1 ? v1CodesOf(contract) : codesOf(contract));
    const statusOf: Readonly<Record<string, number>> = version === 1 ? v1ErrorStatus : problemStatus;
    for (const { status, codes: some } of errors)
      for (const code of some) expect(statusOf[code]).toBe(status);
    for (const status of Object.keys(contract.responses)) expect(operation.responses).toHaveProperty(status);
    for (const { status } of errors)
      expect(operation.responses[status]).toMatchObject({
        headers: { 'X-Request-ID': {}, 'Cache-Control': {} },
      });
  });

  it.each(described)('names every record and input of $name', ({ operation }) => {
    for (const { schema } of [
      ...contents(operation.requestBody),
      ...Object.values(operation.responses).flatMap(contents),
    ]) {
      for (const one of schema.anyOf ?? [schema]) expect(one).toEqual({ $ref: expect.any(String) });
    }
  });

  it('inlines no object into a schema', () => {
    const inlined = [...nodes(document.components.schemas)].filter(
      ([place, node]) =>
        typeof node.properties === 'object' && node.type === 'object' && place.split('/').length > 2,
    );
    expect(inlined.map(([place]) => place)).toEqual([]);
  });

  const exampleFor = (schema: object) => exampleOf(schema as Json, document.components.schemas);

  it.each(described)('has valid examples of $name', ({ contract, operation }) => {
    const bodies = contents(operation.requestBody);
    for (const { schema, example } of bodies) {
      const validate = compile(schema);
      expect(validate(example), JSON.stringify(validate.errors)).toBe(true);
    }
    const responses = Object.entries(contract.responses).flatMap(([status, { body }]) =>
      contents(operation.responses[status]).map(({ schema }) => ({ body, example: exampleFor(schema) })),
    );
    for (const { body, example } of responses) expect(body?.safeParse(example).error).toBeUndefined();
    const ofPath = operation.parameters.filter(({ in: location }: { in: string }) => location === 'path');
    for (const { example } of ofPath) expect(example).toMatch(/^[a-z]+_[0-9a-f]{32}$/);
    expect([...bodies, ...responses, ...ofPath].length).toBeGreaterThan(0);
  });

  it('contains JSON Schemas that compile', () => {
    const schemas = [...nodes(document)].filter(([place]) => /\/(schema|schemas\/\w+)$/.test(place));
    expect(schemas.length).toBeGreaterThan(10);
    for (const [place, schema] of schemas) {
      expect(compile(schema), place).toBeTypeOf('function');
    }
  });
});

describe('openApiDocument', () => {
  it('declares 404 when a body names a Space', () => {
    const { responses } = operationAt(2, '/api/v2/domains', 'POST');
    expect(responses['404'].description).toContain('`not_found`');
    expect(documents[2].paths['/spaces'].post.responses).not.toHaveProperty('404');
  });

  it('requires text or html, of at most 2 MB', () => {
    const validate = ajv.compile({ $ref: 'v2#/components/schemas/SendEmailBody' });
    const valid = { from: 'a@acme.dev', to: 'anna@example.com', subject: '' };
    for (const body of [{ text: 'a' }, { html: 'a' }, { text: '', html: 'a' }, { text: 'a', html: '' }])
      expect(validate({ ...valid, ...body })).toBe(true);
    for (const body of [
      {},
      { text: '' },
      { html: '' },
      { text: '', html: '' },
      { text: 'a'.repeat(2 ** 21 + 1) },
    ])
      expect(validate({ ...valid, ...body })).toBe(false);
  });

  it('refuses unknown fields of requests, also on the fields of a base, and allows new ones of responses', () => {
    const accepts = (name: string, value: object) =>
      ajv.compile({ $ref: `v2#/components/schemas/${name}` })(value);
    const { schemas } = documents[2].components;
    const email = {
      from: 'a@acme.dev',
      to: 'anna@example.com',
      subject: '',
      text: 'a',
      cc: ['b@example.com'],
    };
    expect(schemas.SendEmailBody.allOf).toContainEqual({ $ref: '#/components/schemas/MessageOptions' });
    expect(accepts('SendEmailBody', email)).toBe(true);
    expect(accepts('SendEmailBody', { ...email, subjekt: '' })).toBe(false);
    expect(accepts('SendEmailBody', { ...email, cc: 1 })).toBe(false);
    const full = exampleOf({ $ref: '#/components/schemas/FullEmail' }, schemas) as { id?: string };
    expect(accepts('FullEmail', { ...full, added_later: 1 })).toBe(true);
    expect(accepts('FullEmail', { ...full, id: undefined })).toBe(false);
  });

  it('stays small: 256 KB without spaces', () => {
    expect(Buffer.byteLength(JSON.stringify(documents[2]))).toBeLessThanOrEqual(256 * 1024);
  });

  it('describes the webhook of every event type, with a valid example', () => {
    expect(Object.keys(documents[2].webhooks)).toEqual(eventTypes);
    for (const [type, { post }] of Object.entries<Record<string, Described>>(documents[2].webhooks)) {
      const example = exampleIn(2, post);
      expect(example).toMatchObject({ type });
      expect(eventSchema.safeParse(example).error).toBeUndefined();
      expect(parameterNames(2, post)).toContain('Parley-Signature');
    }
  });

  it('describes the webhook of every event of version 1, with a valid example', () => {
    expect(Object.keys(documents[1].webhooks)).toEqual(
      v1EventTypes.map((type) => eventTypeTable[type].v1Name),
    );
    for (const type of v1EventTypes) {
      const { post } = documents[1].webhooks[eventTypeTable[type].v1Name] as Record<string, Described>;
      expect(v1WebhookBodies[type].schema.safeParse(exampleIn(1, post)).error).toBeUndefined();
      expect(parameterNames(1, post)).toContain('X-Parley-Signature');
    }
  });
});

interface Described {
  readonly parameters: { readonly $ref: string }[];
  readonly requestBody: unknown;
}

/** The example of the body of a webhook. */
function exampleIn(version: 1 | 2, webhook: Described | undefined): unknown {
  const [content] = contents(webhook?.requestBody);
  return exampleOf((content?.schema ?? {}) as Json, documents[version].components.schemas);
}

const parameterNames = (version: 1 | 2, webhook: Described | undefined) =>
  webhook?.parameters.map(({ $ref }) => nameOf(at(documents[version], $ref) as { name: string }));

interface Answer {
  readonly description: string;
  readonly content?: object;
}

interface Content {
  readonly schema: { readonly anyOf?: readonly object[] };
  readonly example?: unknown;
}

/** The content of a request or response, by media type. */
function contents(message: unknown): Content[] {
  return Object.values((message as { content?: Record<string, Content> } | undefined)?.content ?? {});
}

const nameOf = ({ name }: { name: string }): string => name;
