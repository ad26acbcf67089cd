/** An operation as html: what it takes and answers, with samples beside it. */
import { escapeHtml } from '../../mail/html/escape-html.ts';
import { codeBlock, sampleTabs } from '../code-blocks.ts';
import { type Content, type Operation, type Response, referenceName, shownResponse } from './document.ts';
import { type FieldsContext, fieldItem, fieldList, schemaId } from './fields.ts';
import { samplesOf } from './samples.ts';
import { inline, paragraphs } from './text.ts';

/** What operations link to. */
export interface OperationContext extends FieldsContext {
  /** URL of the page of an error code; null: there is none. */
  problemUrl(code: string): string | null;
}

/** Headers that every operation takes are described once, on the page of requests. */
const commonHeaders: ReadonlySet<string> = new Set(['X-Request-ID']);

export function operationSection(context: OperationContext, operation: Operation): string {
  const { id, method, path, summary, description } = operation;
  return `<section class="operation" aria-labelledby="${escapeHtml(id)}">
<div class="text">
<h2 id="${escapeHtml(id)}">${escapeHtml(summary)}<a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to this operation">#</a></h2>
${endpoint(method, path)}
${withLinks(context, paragraphs(description))}
${parameters(context, operation)}
${body(context, operation)}
${responses(context, operation.responses)}
</div>
<div class="beside">
${sampleTabs(samplesOf(operation, context.document.version))}
${exampleOf(operation.responses)}
</div>
</section>`;
}

/** Method and path on one line. */
export function endpoint(method: string, path: string): string {
  return `<p class="endpoint"><span class="method ${method.toLowerCase()}">${method}</span> <code>${escapeHtml(path)}</code></p>`;
}

/** A webhook event: the body that a receiver gets. */
export function eventSection(context: OperationContext, event: Operation): string {
  const { id, summary, body: content } = event;
  return `<section class="operation" aria-labelledby="${escapeHtml(id)}">
<div class="text">
<h2 id="${escapeHtml(id)}"><code>${escapeHtml(id)}</code><a class="anchor" href="#${escapeHtml(id)}" aria-label="Link to this event">#</a></h2>
<p>${inline(summary)}</p>
${content ? fieldList(context, content.schema) : ''}
</div>
<div class="beside">${content ? jsonExample(content, 'Payload') : ''}</div>
</section>`;
}

function parameters(context: OperationContext, { parameters: all }: Operation): string {
  const shown = all.filter(({ name }) => !commonHeaders.has(name));
  const titles = { path: 'Path parameters', query: 'Query parameters', header: 'Headers' };
  return Object.entries(titles)
    .map(([location, title]) => {
      const own = shown.filter((one) => one.location === location);
      if (own.length === 0) return '';
      return `<h3>${title}</h3><ul class="fields">${own.map((one) => fieldItem(context, one)).join('')}</ul>`;
    })
    .join('');
}

function body(context: OperationContext, { body: content }: Operation): string {
  if (!content) return '';
  const name = referenceName(content.schema);
  return `<h3>Body${name ? ` <span class="type">${schemaLink(context, name)}</span>` : ''}</h3>${
    content.isRequired ? '' : '<p>The body may be left out.</p>'
  }${fieldList(context, content.schema)}`;
}

function schemaLink({ schemasUrl }: FieldsContext, name: string): string {
  return `<a href="${schemasUrl}#${escapeHtml(schemaId(name))}">${escapeHtml(name)}</a>`;
}

function responses(context: OperationContext, all: readonly Response[]): string {
  const items = all.map(({ status, description, content, codes }) => {
    const name = content && /^2/.test(status) ? referenceName(content.schema) : null;
    const words = codes.length > 0 ? withLinks(context, inline(description)) : inline(description);
    return `<li><code class="status s${status.charAt(0)}">${escapeHtml(status)}</code><div>${words}${name ? ` ${schemaLink(context, name)}` : ''}</div></li>`;
  });
  return `<h3>Responses</h3><ul class="responses">${items.join('')}</ul>`;
}

/** Text in which error codes lead to their pages. */
function withLinks({ problemUrl }: OperationContext, html: string): string {
  return html.replace(/<code>([a-z0-9_]+)<\/code>/g, (code, name: string) => {
    const url = problemUrl(name);
    return url === null ? code : `<a href="${url}">${code}</a>`;
  });
}

function exampleOf(all: readonly Response[]): string {
  const success = shownResponse(all);
  return success?.content ? jsonExample(success.content, `Response ${success.status}`) : '';
}

function jsonExample({ example }: Content, title: string): string {
  if (example === undefined) return '';
  return codeBlock({ language: 'json', code: JSON.stringify(example, null, 2) }, title);
}
