/** JSON schemas of the OpenAPI document as html. */
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { Json } from '../openapi-schemas.ts';
import { inline, paragraphs } from './reference-text.ts';

/** The name of the schema that a `$ref` names; null: no reference. */
export function refName({ $ref }: Json): string | null {
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : null;
}

/** A named schema with its fields. The target of links is inside, so that a browser opens it. */
export function schemaSection(name: string, schema: Json): string {
  const id = escapeHtml(name);
  return `<details><summary><span class="path">${id}</span></summary><div id="schema-${id}">${
    typeof schema.description === 'string' ? paragraphs(schema.description) : ''
  }${fieldsTable(schema)}</div></details>`;
}

/** The fields of an object, or the type of anything else. */
export function fieldsTable(schema: Json): string {
  const { properties, required } = schema;
  if (!properties || typeof properties !== 'object') return `<p>${typeOf(schema)}</p>`;
  const names: readonly unknown[] = Array.isArray(required) ? required : [];
  const rows = Object.entries(properties).map(([name, field]) => {
    const schemaOfField: Json = Object(field);
    const description =
      typeof schemaOfField.description === 'string' ? inline(schemaOfField.description) : '';
    const need = names.includes(name) ? '' : ' <span class="soft">optional</span>';
    return `<tr><td><code>${escapeHtml(name)}</code>${need}</td><td>${typeOf(schemaOfField)}</td><td>${description}</td></tr>`;
  });
  return `<table><thead><tr><th>Field</th><th>Type</th><th>Description</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

/** The type of a value in words: `string or null`, `array of Address`. */
function typeOf(schema: Json): string {
  const name = refName(schema);
  if (name) return `<a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a>`;
  const { anyOf, oneOf, allOf, items, type, enum: values, const: value } = schema;
  const choices = [anyOf, oneOf, allOf].find(Array.isArray);
  if (choices) return choices.map((choice) => typeOf(Object(choice))).join(allOf ? ' and ' : ' or ');
  if (Array.isArray(values)) return values.map((one) => `<code>${escapeHtml(String(one))}</code>`).join(' ');
  if (value !== undefined) return `<code>${escapeHtml(String(value))}</code>`;
  if (type === 'array') return `array of ${typeOf(Object(items))}`;
  const types = Array.isArray(type) ? type.join(' or ') : typeof type === 'string' ? type : 'any';
  return `${escapeHtml(types)}${bounds(schema)}`;
}

/** The limits of a string, number or array. */
function bounds({ format, minLength, maxLength, minimum, maximum, default: value }: Json): string {
  const parts = [
    typeof format === 'string' ? format : null,
    range(minLength, maxLength, ' characters'),
    range(minimum, maximum, ''),
    value === undefined || value === null || typeof value === 'object' ? null : `default ${String(value)}`,
  ].filter((part) => part !== null);
  return parts.length === 0 ? '' : ` <span class="soft">${escapeHtml(parts.join(', '))}</span>`;
}

function range(least: unknown, most: unknown, unit: string): string | null {
  // The bounds of an integer that has none.
  const isGiven = (bound: unknown) => typeof bound === 'number' && Math.abs(bound) < Number.MAX_SAFE_INTEGER;
  if (!isGiven(least) && !isGiven(most)) return null;
  if (!isGiven(most)) return `at least ${String(least)}${unit}`;
  return isGiven(least) ? `${String(least)} to ${String(most)}${unit}` : `at most ${String(most)}${unit}`;
}

export function exampleBlock(example: unknown): string {
  return `<pre tabindex="0" aria-label="Example">${escapeHtml(JSON.stringify(example, null, 2))}</pre>`;
}
