/** The API reference: the OpenAPI document as a page without scripts. */
import { escapeHtml } from '../../mail/html/escape-html.ts';
import { exampleOf, type Json } from '../openapi-schemas.ts';
import type { PublicResponse } from '../serve-public.ts';
import { baseStyle, htmlWith } from './page.ts';
import { exampleBlock, fieldsTable, refName, schemaSection } from './reference-schemas.ts';
import { inline, paragraphs } from './reference-text.ts';

const style = `${baseStyle}
body{font-size:16px}
main{max-width:64rem;margin:0 auto;padding:2rem 1.5rem 6rem;overflow-wrap:anywhere}
h1{margin:1rem 0;font-size:2rem;line-height:1.2}
h2{margin:3rem 0 .25rem;font-size:1.5rem}
h2::first-letter{text-transform:uppercase}
h3{margin:1.5rem 0 .5rem;font-size:1rem}
p{margin:0 0 .75rem}
a{color:var(--act)}
code,pre{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
code{padding:.1em .3em;border-radius:4px;background:var(--page);border:1px solid var(--line)}
pre{margin:0 0 1rem;padding:.75rem 1rem;max-height:28rem;overflow:auto;border-radius:8px;background:var(--page);border:1px solid var(--line)}
.soft{color:var(--soft)}
nav ul{margin:0;padding:0;list-style:none;columns:2 18rem;column-gap:2rem}
nav li{padding:.2rem 0}
details{margin:.5rem 0;border:1px solid var(--line);border-radius:8px;background:var(--card)}
summary{padding:.75rem 1rem;cursor:pointer;display:flex;flex-wrap:wrap;gap:.25rem .75rem;align-items:baseline}
summary::marker{content:""}
details>div{padding:1rem;border-top:1px solid var(--line);scroll-margin-top:4rem}
.method{min-width:3.75rem;font-weight:700;font-size:.8125rem;letter-spacing:.03em;color:var(--act)}
.path{font:.875rem ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-weight:600}
table{width:100%;table-layout:fixed;border-collapse:collapse;margin:0 0 1rem;font-size:.9375rem}
th,td{padding:.5rem .75rem .5rem 0;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:500}
td p{margin:0}
th:first-child,th:nth-child(2){width:25%}
@media (max-width:40rem){
main{padding:1rem 1rem 4rem}
table,tbody,tr,td{display:block}
thead{display:none}
tr{padding:.5rem 0;border-bottom:1px solid var(--line)}
td{padding:.125rem 0;border:0}
}
`;

const page = htmlWith(style);

/** The parts of the document that the page shows. */
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Json[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}
interface Content {
  readonly schema?: Json;
  readonly example?: unknown;
}
interface Response {
  readonly description: string;
  readonly content?: Readonly<Record<string, Content>>;
}
interface Document {
  readonly servers: readonly { readonly url: string }[];
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Json>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly parameters: Readonly<Record<string, Json>>;
  };
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** @param json the OpenAPI document of `openApiDocument` */
export function referencePage(json: Json): PublicResponse {
  // The document is ours; its shape is that of lib/http/openapi.ts.
  const document = json as unknown as Document;
  const routes = routesOf(document);
  const schemas = Object.entries(document.components.schemas);
  return page(200, {
    title: document.info.title,
    body: [
      `<p class="soft">Version ${escapeHtml(document.info.version)}. <a href="/api/v2/openapi.json">OpenAPI document</a></p>`,
      paragraphs(document.info.description),
      navigation(document, routes),
      ...document.tags.map((tag) => group(tag, routes)),
      webhookGroup(document),
      `<h2 id="schemas">Schemas</h2>`,
      ...schemas.map(([name, schema]) => schemaSection(name, schema)),
    ].join('\n'),
  });
}

/** The operations under their whole path, with the components that they refer to in place. */
function routesOf({ paths, components, servers }: Document): Route[] {
  const base = new URL(servers[0]?.url ?? '').pathname;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: `${base}${path}`,
      operation: resolved(operation, components),
    })),
  );
}

/** An operation without references to parameters and responses, and with examples of its bodies. */
function resolved(
  operation: Operation,
  { parameters, responses, schemas }: Document['components'],
): Operation {
  const withExample = (content: Content): Content => ({
    example: content.schema && exampleOf(content.schema, schemas),
    ...content,
  });
  const withExamples = <T extends { readonly content?: Readonly<Record<string, Content>> }>(
    message: T,
  ): T => ({
    ...message,
    ...(message.content && {
      content: Object.fromEntries(
        Object.entries(message.content).map(([type, content]) => [type, withExample(content)]),
      ),
    }),
  });
  return {
    ...operation,
    parameters: (operation.parameters ?? []).map((one) => parameters[refName(one) ?? ''] ?? one),
    ...(operation.requestBody && { requestBody: withExamples(operation.requestBody) }),
    responses: Object.fromEntries(
      Object.entries(operation.responses).map(([status, response]) => [
        status,
        // A description beside a reference replaces that of the component.
        withExamples({ ...responses[refName({ ...response }) ?? ''], ...response }),
      ]),
    ),
  };
}

function navigation({ tags }: Document, routes: readonly Route[]): string {
  const links = tags.map(({ name }) => {
    const count = routes.filter(({ operation }) => operation.tags.includes(name)).length;
    return `<li><a href="#${escapeHtml(name)}">${escapeHtml(name)}</a> <span class="soft">${count}</span></li>`;
  });
  return `<nav aria-label="Groups"><ul>${links.join('')}<li><a href="#webhook-events">webhook events</a></li><li><a href="#schemas">schemas</a></li></ul></nav>`;
}

function group(tag: Document['tags'][number], routes: readonly Route[]): string {
  const own = routes.filter(({ operation }) => operation.tags.includes(tag.name));
  const name = escapeHtml(tag.name);
  return `<section aria-labelledby="${name}"><h2 id="${name}">${name.replaceAll('-', ' ')}</h2>${paragraphs(tag.description)}${own.map(operationDetails).join('')}</section>`;
}

function webhookGroup({ webhooks, components }: Document): string {
  const all = Object.entries(webhooks).map(([type, { post }]) =>
    operationDetails({ method: 'EVENT', path: type, operation: resolved(post, components) }),
  );
  return `<section aria-labelledby="webhook-events"><h2 id="webhook-events">Webhook events</h2>${all.join('')}</section>`;
}

function operationDetails({ method, path, operation }: Route): string {
  const { operationId, summary, description, parameters = [], requestBody, responses } = operation;
  const shown = parameters.filter(({ name }) => name !== 'X-Request-ID');
  return `<details><summary><span class="method">${method}</span><span class="path">${escapeHtml(path)}</span><span class="soft">${escapeHtml(summary)}</span></summary><div id="${escapeHtml(operationId ?? path)}">
${description === undefined ? '' : paragraphs(description)}
${shown.length === 0 ? '' : `<h3>Parameters</h3>${parametersTable(shown)}`}
${requestBody ? `<h3>Request body</h3>${contents(requestBody.content)}` : ''}
<h3>Responses</h3>${responsesOf(responses)}
</div></details>`;
}

function parametersTable(parameters: readonly Json[]): string {
  const properties = Object.fromEntries(
    parameters.map(({ name, description, schema, in: location }) => [
      String(name),
      { ...Object(schema), description: [description, `(${String(location)})`].filter(Boolean).join(' ') },
    ]),
  );
  const required = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name);
  return fieldsTable({ type: 'object', properties, required });
}

function contents(content: Readonly<Record<string, Content>>): string {
  return Object.values(content)
    .map(({ schema, example }) => {
      const name = schema && refName(schema);
      const link = name
        ? `<p><a href="#schema-${escapeHtml(name)}">${escapeHtml(name)}</a></p>`
        : schema
          ? fieldsTable(schema)
          : '';
      return `${link}${example === undefined ? '' : exampleBlock(example)}`;
    })
    .join('');
}

function responsesOf(responses: Operation['responses']): string {
  return Object.entries(responses)
    .map(([status, { description, content }]) => {
      const isSuccess = /^[23]/.test(status);
      return `<p><code>${escapeHtml(status)}</code> ${inline(description)}</p>${isSuccess && content ? contents(content) : ''}`;
    })
    .join('');
}
