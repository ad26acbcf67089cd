/** The reference of a version of the API: a start page, a page for each group, for the events, and for the schemas. */
import { escapeHtml } from '../../mail/html/escape-html.ts';
import type { Page } from '../layout.ts';
import { eventMarkdown, operationMarkdown, schemaMarkdown } from './as-markdown.ts';
import { type ApiDocument, type Group, objectOf, text } from './document.ts';
import { depthMax, fieldList, schemaId } from './fields.ts';
import { eventSection, type OperationContext, operationSection } from './operation.ts';
import { limitsOf, typeInWords, valuesOf } from './schema-words.ts';
import { paragraphs } from './text.ts';

export const referenceUrl = ({ version }: ApiDocument): string => `/docs/v${version}`;

export function groupUrl(document: ApiDocument, group: string): string {
  return `${referenceUrl(document)}/${group}`;
}

/** `webhook-endpoints` as `Webhook endpoints`. */
export function titleOfGroup(name: string): string {
  const words = name
    .replace(/^_/, '')
    .replaceAll('-', ' ')
    .replace(/\b(api|oauth)\b/g, (word) => (word === 'api' ? 'API' : 'OAuth'));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The pages of a version in reading order. */
export function referencePages(
  document: ApiDocument,
  brand: string,
  problemUrl: OperationContext['problemUrl'],
): Page[] {
  const context: OperationContext = {
    document,
    schemasUrl: `${referenceUrl(document)}/schemas`,
    problemUrl,
  };
  return [
    startPage(document, brand),
    ...document.groups.map((group) => groupPage(context, group)),
    eventsPage(context),
    schemasPage(context),
  ];
}

const kickerOf = ({ version }: ApiDocument): string => `API reference · version ${version}`;

function startPage(document: ApiDocument, brand: string): Page {
  const { basePath, description, groups, version } = document;
  const lists = groups.map((group) => {
    const url = groupUrl(document, group.name);
    const items = group.operations.map(
      ({ id, method, path, summary }) =>
        `<li><a href="${url}#${escapeHtml(id)}"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path.slice(basePath.length))}</code> <span>${escapeHtml(summary)}</span></a></li>`,
    );
    return `<h2 id="${group.name}"><a href="${url}">${escapeHtml(titleOfGroup(group.name))}</a></h2><p>${escapeHtml(group.description)}</p><ul class="operations">${items.join('')}</ul>`;
  });
  const other =
    version === '1'
      ? 'New programs use <a href="/docs/v2">version 2</a>; <a href="/docs/migrating-from-v1">migrating</a> has the differences.'
      : 'The earlier interface is <a href="/docs/v1">version 1</a>.';
  return {
    url: referenceUrl(document),
    title: version === '2' ? 'API reference' : `API reference, version ${version}`,
    description: `Every operation of version ${version} of the ${brand} API, with samples.`,
    html: `<p>Base URL: <code data-origin>https://api.example.com${basePath}</code>. The <a href="${basePath}/openapi.json">OpenAPI document</a> has the same for programs. ${other}</p>${paragraphs(description)}${lists.join('')}`,
    markdown: `${description}\n\n${groups.map((group) => groupLines(document, group)).join('\n\n')}`,
    contents: groups.map(({ name }) => ({ id: name, text: titleOfGroup(name), depth: 2 })),
  };
}

function groupLines(document: ApiDocument, { name, operations }: Group): string {
  const lines = operations.map(({ method, path, summary }) => `- \`${method} ${path}\`: ${summary}`);
  return `## [${titleOfGroup(name)}](${groupUrl(document, name)}.md)\n\n${lines.join('\n')}`;
}

function groupPage(context: OperationContext, { name, description, operations }: Group): Page {
  const { document } = context;
  return {
    url: groupUrl(document, name),
    title: titleOfGroup(name),
    description,
    kicker: kickerOf(document),
    isWide: true,
    html: `<p>${escapeHtml(description)}</p>${operations.map((one) => operationSection(context, one)).join('')}`,
    markdown: `${description}\n\n${operations.map((one) => operationMarkdown(document, one)).join('\n\n')}`,
    contents: operations.map(({ id, summary }) => ({ id, text: summary, depth: 2 })),
  };
}

function eventsPage(context: OperationContext): Page {
  const { document } = context;
  const { events } = document;
  return {
    url: `${referenceUrl(document)}/webhook-events`,
    title: 'Webhook events',
    description: 'What webhook endpoints receive: each event with its payload.',
    kicker: kickerOf(document),
    isWide: true,
    html: `<p>What webhook endpoints receive. <a href="/docs/concepts/webhooks">Webhooks</a> describes deliveries and retries, <a href="/docs/verifying-webhooks">Verifying webhooks</a> the signature.</p>${events.map((one) => eventSection(context, one)).join('')}`,
    markdown: events.map(eventMarkdown).join('\n\n'),
    contents: events.map(({ id }) => ({ id, text: id, depth: 2 })),
  };
}

function schemasPage(context: OperationContext): Page {
  const { document } = context;
  const all = [...document.schemas].sort(([a], [b]) => (a < b ? -1 : 1));
  const sections = all.map(([name, schema]) => {
    const values = valuesOf(schema).map((value) => `<code>${escapeHtml(value)}</code>`);
    const fields = fieldList(context, schema, depthMax);
    const type = `${typeInWords(schema, (other) => `<a href="#${escapeHtml(schemaId(other))}">${escapeHtml(other)}</a>`)} ${escapeHtml(limitsOf(schema))}`;
    const id = escapeHtml(schemaId(name));
    return `<section class="schema"><h2 id="${id}">${escapeHtml(name)}<a class="anchor" href="#${id}" aria-label="Link to this schema">#</a></h2>${paragraphs(text(objectOf(schema).description))}${fields || `<p>${type}</p>`}${values.length > 0 ? `<p class="values">${values.join(' ')}</p>` : ''}</section>`;
  });
  return {
    url: context.schemasUrl,
    title: 'Schemas',
    description: 'The objects that requests and answers consist of.',
    kicker: kickerOf(document),
    html: sections.join(''),
    markdown: all.map(([name, schema]) => schemaMarkdown(document, name, schema)).join('\n\n'),
    contents: all.map(([name]) => ({ id: schemaId(name), text: name, depth: 2 })),
  };
}
