/** What a reader of the OpenAPI documents needs: descriptions, limits of inputs, examples that are valid. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { groups, operations } from '../../functions/operations.ts';
import { exampleDeployment, openApiDocument } from '../../lib/http/openapi.ts';

type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;
const entriesOf = (value: unknown): [string, Node][] =>
  isNode(value) ? Object.entries(value).filter((entry): entry is [string, Node] => isNode(entry[1])) : [];
const listOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : []);

/** Values of these are data, not parts of the document. */
const data = new Set(['example', 'examples', 'default', 'const', 'enum', 'required']);

interface Place {
  readonly pointer: string;
  readonly node: Node;
  /** The key of the map or list that has the node: `properties`, `headers`, `schemas`, … */
  readonly of: string;
  readonly name: string;
}

/** Every object of the document. */
function* placesOf(node: Node, pointer = '#', of = '', name = ''): Generator<Place> {
  yield { node, pointer, of, name };
  for (const [key, inner] of entriesOf(node)) {
    // A property may have the name of a keyword.
    if (data.has(key) && name !== 'properties') continue;
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    // A property may be called `headers`.
    yield* placesOf(inner, `${pointer}/${escaped}`, of === 'properties' ? '' : name, key);
  }
}

/** A condition, or a property in a later part of `allOf`, narrows a property that is described elsewhere. */
const narrowing = /\/(?:if|then|else|not|allOf\/[1-9]\d*)\/properties\/\w+$/;

/** A list of values that several fields share: each of them describes it. */
const isSharedEnum = ({ of, node }: Place): boolean => of === 'schemas' && 'enum' in node;

/** Words that say nothing in a description. */
const emptyWords = new Set('a an and for is its of or the this to value field'.split(' '));

/** Words in lower case and in the singular. A word in backquotes is one of the wire, so another one. */
const wordsOf = (text: string): string[] =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9`]+/)
    .filter((word) => word !== '' && !emptyWords.has(word))
    .map((word) => word.replace(/s$/, ''));

/** Whether a description has no word that its name lacks. */
function restates(description: string, name: string): boolean {
  const known = new Set(wordsOf(name));
  return wordsOf(description).every((word) => known.has(word));
}

describe.each([1, 2] as const)('the OpenAPI document of version %d', (version) => {
  const document: Node = JSON.parse(
    JSON.stringify(openApiDocument({ operations, groups, version }, exampleDeployment)),
  );
  const places = [...placesOf(document)];
  const nodeAt = new Map(places.map(({ pointer, node }) => [pointer, node]));
  const resolved = (node: Node): Node =>
    typeof node.$ref === 'string' ? resolved(nodeAt.get(node.$ref) ?? {}) : node;

  /** The description of a node, or of what it refers to: null and a reference are one. */
  function descriptionOf(node: Node): string {
    if (typeof node.description === 'string') return node.description;
    if (typeof node.$ref === 'string') return descriptionOf(resolved(node));
    // A parameter may have the description of its schema.
    if (isNode(node.schema)) return descriptionOf(node.schema);
    const members = listOf(node.anyOf ?? node.oneOf ?? node.allOf).filter(({ type }) => type !== 'null');
    return members.length === 1 && members[0] ? descriptionOf(members[0]) : '';
  }

  const parameters = places.filter(({ of, node }) => of === 'parameters' && !node.$ref);
  const described = [
    ...places.filter(({ of }) => ['properties', 'headers', 'schemas', 'responses'].includes(of)),
    ...parameters,
  ].filter((place) => !narrowing.test(place.pointer) && !isSharedEnum(place));

  it('describes every property, parameter, header, schema and response', () => {
    const silent = described.filter(({ node }) => descriptionOf(node).trim() === '');
    expect(silent.map(({ pointer }) => pointer)).toEqual([]);
  });

  it('has no description that only repeats the name', () => {
    const empty = described.filter(({ node, name }) => {
      const given = typeof node.name === 'string' ? node.name : name;
      return restates(descriptionOf(node), given);
    });
    expect(empty.map(({ pointer, node }) => `${pointer}: ${descriptionOf(node)}`)).toEqual([]);
  });

  it('describes in sentences', () => {
    const texts = places.flatMap(({ node, of, pointer }) =>
      typeof node.description === 'string' && of !== 'properties'
        ? [{ pointer, text: node.description }]
        : [],
    );
    expect(
      texts
        .filter(({ text }) => !/[.:`]$/.test(text.trim()))
        .map(({ pointer, text }) => `${pointer}: ${text}`),
    ).toEqual([]);
  });

  /** The schemas of what requests have. */
  function inputs(): Map<Node, string> {
    const found = new Map<Node, string>();
    const open: [Node, string][] = [];
    for (const { pointer, node, of, name } of places) {
      if (!pointer.startsWith('#/paths/')) continue;
      if (name === 'requestBody') {
        for (const [type, content] of entriesOf(resolved(node).content))
          open.push([content, `${pointer}.${type}`]);
      }
      if (of === 'parameters') open.push([resolved(node), pointer]);
    }
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const [node, pointer] = next;
      const { schema } = node;
      const target = resolved(isNode(schema) ? schema : node);
      if (found.has(target)) continue;
      found.set(target, pointer);
      const { properties, items, additionalProperties, propertyNames } = target;
      for (const [name, inner] of entriesOf(properties)) open.push([inner, `${pointer}.${name}`]);
      for (const [part, inner] of Object.entries({ items, additionalProperties, propertyNames })) {
        if (isNode(inner)) open.push([inner, `${pointer}.${part}`]);
      }
      for (const members of [target.anyOf, target.oneOf, target.allOf]) {
        for (const [at, member] of listOf(members).entries()) open.push([member, `${pointer}[${at}]`]);
      }
    }
    return found;
  }

  it('has a limit for every input', () => {
    const bounds: Readonly<Record<string, (schema: Node) => boolean>> = {
      string: (schema) => ['maxLength', 'format', 'enum', 'pattern', 'const'].some((key) => key in schema),
      integer: (schema) => 'minimum' in schema && 'maximum' in schema,
      number: (schema) => 'minimum' in schema && 'maximum' in schema,
      array: (schema) => 'maxItems' in schema,
    };
    const unbounded = [...inputs()].filter(([schema]) => {
      const types = [schema.type].flat();
      return types.some((type) => bounds[String(type)]?.(schema) === false);
    });
    expect(unbounded.map(([, pointer]) => pointer)).toEqual([]);
  });

  it('has only examples that its schemas accept', () => {
    const ajv = formats.default(new Ajv2020({ strict: false }));
    ajv.addSchema(document, 'document');
    const wrong = places.flatMap(({ node, pointer }) => {
      const ownValues = Array.isArray(node.examples) ? node.examples : [];
      const values = isNode(node.schema) && 'example' in node ? [node.example] : ownValues;
      if (values.length === 0) return [];
      const schema = isNode(node.schema) ? `${pointer}/schema` : pointer;
      const accepts = ajv.compile({ $ref: `document${encodeURI(schema)}` });
      return values.every((value) => accepts(value)) ? [] : [`${pointer}: ${ajv.errorsText(accepts.errors)}`];
    });
    expect(wrong).toEqual([]);
  });
});
