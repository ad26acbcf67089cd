/** `src/types.ts` of the TypeScript library: every schema as an interface, with its descriptions, limits and defaults. */
import { type ClientSource, nameOf, type Operation, pascal, type Schema } from './read-document.ts';

const column = 110;

/** A docstring; empty without text. */
export function docstring(paragraphs: readonly string[], indent = ''): string {
  const text = paragraphs.filter(Boolean);
  if (text.length === 0) return '';
  const only = text[0] ?? '';
  if (text.length === 1 && only.length + indent.length + 7 <= column) return `${indent}/** ${only} */\n`;
  const lines = text.flatMap((paragraph, index) => [
    ...(index > 0 ? [''] : []),
    ...paragraph.split('\n').flatMap((line) => wrap(line, column - indent.length - 3)),
  ]);
  return `${indent}/**\n${lines.map((line) => `${indent} *${line && ` ${line}`}\n`).join('')}${indent} */\n`;
}

function wrap(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.replaceAll('*/', '*\\/').split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + word.length + 1 <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The query type of an operation: `ThreadsListQuery`. */
export const queryName = ({ group, verb }: Operation): string => `${pascal(group)}${pascal(verb)}Query`;

/** The name of the items, where the operation answers a page of a list. */
export function itemOf({ result, query }: Operation, schemas: ClientSource['schemas']): string | null {
  const page = result?.$ref && schemas[nameOf(result.$ref)];
  const isList = query.some(({ name }) => name === 'cursor');
  if (!page || !isList) return null;
  const item = page.properties?.data?.items?.$ref;
  return item ? nameOf(item) : null;
}

/** Names of schemas that requests are made of, directly or within others. */
function inputNames({ operations, schemas }: ClientSource): Set<string> {
  const names = new Set<string>();
  const visit = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('$ref' in schema && typeof schema.$ref === 'string') {
      const name = nameOf(schema.$ref);
      if (names.has(name)) return;
      names.add(name);
      visit(schemas[name]);
      return;
    }
    for (const inner of Object.values(schema)) visit(inner);
  };
  for (const { body } of operations) visit(body?.schema);
  return names;
}

/** The attachments of a send take every form that the library reads. */
const isAttachments = ({ items }: Schema): boolean =>
  items?.anyOf?.some(({ $ref }) => $ref !== undefined && nameOf($ref) === 'InlineAttachment') ?? false;

function hasAttachments(reference: string, schemas: ClientSource['schemas']): boolean {
  const { properties, allOf = [] } = schemas[nameOf(reference)] ?? {};
  const isOwn = properties?.attachments !== undefined && isAttachments(properties.attachments);
  return isOwn || allOf.some(({ $ref }) => $ref !== undefined && hasAttachments($ref, schemas));
}

/** Whether a body has attachments. */
export function carriesFiles({ body }: Operation, schemas: ClientSource['schemas']): boolean {
  const reference = body?.schema.$ref;
  return reference ? hasAttachments(reference, schemas) : false;
}

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');

/** The type of a schema. @param isInput requests take arrays that are read-only */
function typeOf(schema: Schema, isInput: boolean, indent: string): string {
  const inner = (one: Schema): string => typeOf(one, isInput, indent);
  const { $ref, anyOf, oneOf, allOf, items, type } = schema;
  if ($ref) return nameOf($ref);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return union(schema.enum.map(literal));
  if (anyOf ?? oneOf) return union((anyOf ?? oneOf ?? []).map(inner));
  if (allOf) return [...new Set(allOf.map(inner))].join(' & ');
  if (Array.isArray(type)) return union(type.map((one: string) => inner({ ...schema, type: one })));
  if (items) return arrayOf(isAttachments(schema) ? 'AttachmentInput' : inner(items), isInput);
  if (type === 'object') return objectOf(schema, isInput, indent);
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string' && schema.format === 'date-time' && isInput) return 'string | Date';
  return typeof type === 'string' ? type : 'unknown';
}

function arrayOf(item: string, isInput: boolean): string {
  return `${isInput ? 'readonly ' : ''}${item.includes(' ') ? `(${item})` : item}[]`;
}

function objectOf(schema: Schema, isInput: boolean, indent: string): string {
  const { properties, additionalProperties } = schema;
  if (properties) return `{\n${fieldsOf(schema, isInput, `${indent}  `)}${indent}}`;
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  const record = `Record<string, ${typeOf(values, isInput, indent)}>`;
  return isInput ? `Readonly<${record}>` : record;
}

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

function fieldsOf({ properties = {}, required = [] }: Schema, isInput: boolean, indent: string): string {
  return Object.entries(properties)
    .map(([name, schema]) => {
      const isOptional = !required.includes(name);
      const type = typeOf(schema, isInput, indent);
      const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
      const declaration = `${key}${isOptional ? '?' : ''}: ${type}${isOptional && isInput ? ' | undefined' : ''};`;
      return `${docstring([descriptionOf(schema)], indent)}${declared(declaration, indent)}`;
    })
    .join('');
}

/** A declaration, with a union that is too long for its line broken into lines. */
function declared(text: string, indent: string): string {
  if (indent.length + text.length <= column || text.includes('\n')) return `${indent}${text}\n`;
  const [head = '', ...types] = text.split(/(?<==|:|\|) /);
  const lines = types.map((type) => `${indent}  | ${type.replace(/ \|$/, '')}`);
  return `${indent}${head}\n${lines.join('\n')}\n`;
}

/** The description of a field with what bounds it. */
function descriptionOf(schema: Schema): string {
  const parts = [schema.description ?? '', ...limitsOf(schema)];
  // Null and false are what one expects of a field that is left out.
  if (schema.default !== undefined && schema.default !== null && schema.default !== false) {
    parts.push(`Default: \`${JSON.stringify(schema.default).replaceAll('"', "'")}\`.`);
  }
  return parts.filter(Boolean).join(' ');
}

function limitsOf(schema: Schema): string[] {
  const { anyOf = [], minLength, maxLength, minItems, maxItems } = schema;
  const [given, ...others] = anyOf.filter(({ type }) => type !== 'null');
  if (given && others.length === 0) return limitsOf(given);
  const isSafe = (bound: number | undefined) => bound !== undefined && Math.abs(bound) < 2 ** 52;
  return [
    range(minLength, maxLength, 'characters'),
    range(minItems, maxItems, 'items'),
    range(
      isSafe(schema.minimum) ? schema.minimum : undefined,
      isSafe(schema.maximum) ? schema.maximum : undefined,
      '',
    ),
  ].filter(Boolean);
}

function range(min: number | undefined, max: number | undefined, unit: string): string {
  const tail = unit && ` ${unit}`;
  if (min !== undefined && max !== undefined) return `${min} to ${max}${tail}.`;
  if (max !== undefined) return `At most ${max}${tail}.`;
  return min === undefined ? '' : `At least ${min}${tail}.`;
}

/** The module. */
export function typesModule(source: ClientSource): string {
  const { schemas, operations } = source;
  const inputs = inputNames(source);
  const pages = new Set(
    operations.flatMap((operation) => {
      const name = nameOf(operation.result?.$ref ?? '');
      return itemOf(operation, schemas) === null ? [] : [name];
    }),
  );
  const declarations = Object.entries(schemas)
    .filter(([name]) => !pages.has(name))
    .map(([name, schema]) => declare(name, schema, inputs.has(name)));
  const queries = operations
    .filter(({ query }) => query.length > 0)
    .map((operation) => declare(queryName(operation), querySchema(operation), true));
  return [
    '/** The bodies and queries of the API, as on the wire. Generated by `npm run clients`: do not edit. */\n',
    "import type { AttachmentInput } from './files.ts';\n\n",
    [...declarations, ...queries].join('\n'),
  ].join('');
}

function querySchema({ summary, query }: Operation): Schema {
  return {
    type: 'object',
    description: `Query of "${summary}".`,
    properties: Object.fromEntries(
      query.map(({ name, description, schema }) => [
        name,
        { ...schema, ...(description && { description }) },
      ]),
    ),
    required: query.flatMap(({ name, required }) => (required ? [name] : [])),
  };
}

function declare(name: string, schema: Schema, isInput: boolean): string {
  const doc = docstring([schema.description ?? '']);
  if (schema.type === 'object' && schema.properties) {
    const bases = (schema.allOf ?? []).map((base) => typeOf(base, isInput, ''));
    const head = `${name}${bases.length > 0 ? ` extends ${bases.join(', ')}` : ''}`;
    return `${doc}export interface ${head} {\n${fieldsOf(schema, isInput, '  ')}}\n`;
  }
  return `${doc}${declared(`export type ${name} = ${typeOf(schema, isInput, '')};`, '')}`;
}
