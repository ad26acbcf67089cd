/** The fields of a schema as html; fields of objects in it open in place. */
import { escapeHtml } from '../../mail/html/escape-html.ts';
import {
  type ApiDocument,
  fieldsOf,
  type JsonObject,
  listOf,
  objectOf,
  referenceName,
  text,
} from './document.ts';
import { limitsOf, typeInWords, valuesOf } from './schema-words.ts';
import { inline } from './text.ts';

/** Objects in objects in objects: what is deeper is behind the link to its schema. */
export const depthMax = 3;

export interface FieldsContext {
  readonly document: ApiDocument;
  /** URL of the page of schemas. */
  readonly schemasUrl: string;
}

/**
 * The list of the fields of an object; empty for what has none.
 *
 * @param depth of the object; with `depthMax`, fields do not open
 */
export function fieldList(context: FieldsContext, schema: JsonObject, depth = 0): string {
  const fields = fieldsOf(context.document, schema).map((field) => fieldItem(context, field, depth));
  return fields.length === 0 ? '' : `<ul class="fields">${fields.join('')}</ul>`;
}

/** One field, parameter or header. */
export function fieldItem(
  context: FieldsContext,
  field: { name: string; schema: JsonObject; isRequired: boolean; description?: string },
  depth = 0,
): string {
  const { isRequired, name, schema } = field;
  const description = field.description || text(schema.description);
  const limits = limitsOf(schema);
  const values = valuesOf(schema);
  return `<li><div class="field"><code class="name">${escapeHtml(name)}</code> <span class="type">${typeLink(context, schema)}</span>${
    isRequired ? ' <span class="required">required</span>' : ''
  }${limits ? ` <span class="limits">${escapeHtml(limits)}</span>` : ''}</div>${
    description ? `<p>${inline(description)}</p>` : ''
  }${values.length > 0 ? `<p class="values">${values.map((value) => `<code>${escapeHtml(value)}</code>`).join(' ')}</p>` : ''}${children(context, name, schema, depth)}</li>`;
}

export const schemaId = (name: string): string => `schema-${name}`;

function typeLink({ schemasUrl }: FieldsContext, schema: JsonObject): string {
  return typeInWords(
    schema,
    (name) => `<a href="${schemasUrl}#${escapeHtml(schemaId(name))}">${escapeHtml(name)}</a>`,
  );
}

/** The fields of the objects that a field contains, behind a button. */
function children(context: FieldsContext, name: string, schema: JsonObject, depth: number): string {
  if (depth >= depthMax) return '';
  const lists = objectsIn(context, schema).flatMap((one) => {
    const list = fieldList(context, one, depth + 1);
    const title = referenceName(one);
    return list === '' ? [] : [`${title ? `<p class="choice">${escapeHtml(title)}</p>` : ''}${list}`];
  });
  if (lists.length === 0) return '';
  // One address and the items of a list of them are the same object.
  return `<details class="more"><summary>Fields of <code>${escapeHtml(name)}</code></summary>${[...new Set(lists)].join('')}</details>`;
}

/** The objects that a value can be or contain: choices and items. */
function objectsIn(context: FieldsContext, schema: JsonObject, depth = 0): JsonObject[] {
  if (depth > depthMax) return [];
  const whole = context.document.resolve(schema);
  if (whole.properties !== undefined || whole.allOf !== undefined) return [schema];
  const inner = [
    ...listOf(whole.anyOf),
    ...listOf(whole.oneOf),
    ...(whole.items ? [objectOf(whole.items)] : []),
  ];
  return inner.flatMap((one) => objectsIn(context, one, depth + 1));
}
