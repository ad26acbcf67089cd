/** Operations, events and schemas as Markdown, for the twins of the reference. */
import {
  type ApiDocument,
  fieldsOf,
  type JsonObject,
  type Operation,
  referenceName,
  shownResponse,
  text,
} from './document.ts';
import { samplesOf } from './samples.ts';
import { limitsOf, typeInWords, valuesOf } from './schema-words.ts';

export function operationMarkdown(document: ApiDocument, operation: Operation): string {
  const { id, method, path, summary, description, parameters, body, responses } = operation;
  const [sample] = samplesOf(operation, document.version);
  const success = shownResponse(responses);
  const rows = parameters.map((one) =>
    fieldLine(one.name, one.schema, {
      isRequired: one.isRequired,
      note: `${one.location}. ${one.description}`,
    }),
  );
  const name = body && referenceName(body.schema);
  return [
    `## ${summary}`,
    `\`${method} ${path}\` (\`${id}\`)`,
    description,
    fence('sh', sample?.code ?? ''),
    rows.length > 0 && `Parameters:\n\n${rows.join('\n')}`,
    body && `Body${name ? ` (${name})` : ''}:\n\n${fieldLines(document, body.schema)}`,
    `Responses:\n\n${responses.map(({ status, description: words }) => `- \`${status}\`: ${words}`).join('\n')}`,
    success && fence('json', JSON.stringify(success.content?.example, null, 2)),
  ]
    .filter(Boolean)
    .join('\n\n');
}

export function eventMarkdown({ id, summary, body }: Operation): string {
  return [
    `## ${id}`,
    summary,
    body?.example !== undefined && fence('json', JSON.stringify(body?.example, null, 2)),
  ]
    .filter(Boolean)
    .join('\n\n');
}

export function schemaMarkdown(document: ApiDocument, name: string, schema: JsonObject): string {
  return [`## ${name}`, text(schema.description), fieldLines(document, schema) || typeInWords(schema, String)]
    .filter(Boolean)
    .join('\n\n');
}

function fieldLines(document: ApiDocument, schema: JsonObject): string {
  return fieldsOf(document, schema)
    .map(({ name, schema: field, isRequired }) =>
      fieldLine(name, field, { isRequired, note: text(field.description) }),
    )
    .join('\n');
}

function fieldLine(
  name: string,
  schema: JsonObject,
  { isRequired, note }: { isRequired: boolean; note: string },
): string {
  const facts = [
    typeInWords(schema, String),
    isRequired ? 'required' : '',
    limitsOf(schema),
    valuesOf(schema)
      .map((value) => `\`${value}\``)
      .join(' '),
  ];
  return `- \`${name}\` (${facts.filter(Boolean).join(', ')})${note ? `: ${note}` : ''}`;
}

const fence = (language: string, code: string): string => `\`\`\`${language}\n${code}\n\`\`\``;
