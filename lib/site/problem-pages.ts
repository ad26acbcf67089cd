/** The pages of problem codes, which `type` of problem bodies links to, and their index. */
import { STATUS_CODES } from 'node:http';
import { escapeHtml } from '../mail/html/escape-html.ts';
import type { Page, PageLink } from './layout.ts';
import type { ApiDocument } from './reference/document.ts';
import { endpoint } from './reference/operation.ts';
import { groupUrl } from './reference/pages.ts';

export interface ProblemFacts {
  readonly status: number;
  readonly cause: string;
  readonly action: string;
}

export type Problems = Readonly<Record<string, ProblemFacts>>;

/** @returns null for a code that has no page */
export function problemUrl(problems: Problems, code: string): string | null {
  return Object.hasOwn(problems, code) ? `/problems/${code}` : null;
}

/** The index and the page of each code. */
export function problemPages(problems: Problems, document: ApiDocument, mentions: Mentions): Page[] {
  const codes = Object.keys(problems).sort();
  return [
    indexPage(problems, codes),
    ...codes.map((code, at) => ({
      ...problemPage(code, problems[code], document, mentions.get(code) ?? []),
      previous: linkOf(codes[at - 1]),
      next: linkOf(codes[at + 1]),
    })),
  ];
}

/** Pages of the documentation that name a code. */
export type Mentions = ReadonlyMap<string, readonly PageLink[]>;

const linkOf = (code: string | undefined): PageLink | undefined =>
  code === undefined ? undefined : { url: `/problems/${code}`, title: code };

function indexPage(problems: Problems, codes: readonly string[]): Page {
  const statuses = [...new Set(Object.values(problems).map(({ status }) => status))].sort((a, b) => a - b);
  const groups = statuses.map((status) => ({
    status,
    id: `status-${status}`,
    title: `${status} ${STATUS_CODES[status] ?? ''}`,
    own: codes.filter((code) => problems[code]?.status === status),
  }));
  return {
    url: '/problems',
    title: 'Problems',
    description: 'Every error code, with what causes it and what to do.',
    html: `<p>A failed request answers with a problem body, whose <code>code</code> is one of these; <a href="/docs/concepts/errors">Errors</a> describes the body and when to retry.</p>${groups
      .map(
        ({ id, own, title }) =>
          `<h2 id="${id}">${title}</h2><ul class="codes">${own
            .map(
              (code) =>
                `<li><a href="/problems/${code}"><code>${code}</code></a><span>${escapeHtml(problems[code]?.cause ?? '')}</span></li>`,
            )
            .join('')}</ul>`,
      )
      .join('')}`,
    markdown: groups
      .map(
        ({ own, title }) =>
          `## ${title}\n\n${own.map((code) => `- [\`${code}\`](/problems/${code}.md): ${problems[code]?.cause}`).join('\n')}`,
      )
      .join('\n\n'),
    contents: groups.map(({ id, title }) => ({ id, text: title, depth: 2 })),
  };
}

function problemPage(
  code: string,
  facts: ProblemFacts | undefined,
  document: ApiDocument,
  mentions: readonly PageLink[],
): Page {
  if (!facts) throw new Error(`${code} is no problem code`);
  const { action, cause, status } = facts;
  const reason = `${status} ${STATUS_CODES[status] ?? ''}`.trim();
  const operations = operationsWith(code, document);
  const links = operations.map(
    ({ url, method, path, title }) =>
      `<li><a href="${escapeHtml(url)}">${escapeHtml(title)}</a> ${endpoint(method, path)}</li>`,
  );
  const pages = mentions.filter(({ url }) => url !== '/docs/concepts/errors');
  return {
    url: `/problems/${code}`,
    title: code,
    kicker: 'Problem',
    description: cause,
    html: `<p class="lead">${escapeHtml(cause)}</p>
<dl class="facts"><dt>Status</dt><dd>${escapeHtml(reason)}</dd><dt>What to do</dt><dd>${escapeHtml(action)}</dd></dl>
<p><a href="/docs/concepts/errors#codes">Errors</a> describes problem bodies and when to retry.</p>
${pages.length > 0 ? `<h2 id="documentation">In the documentation</h2><ul>${pages.map(({ url, title }) => `<li><a href="${url}">${escapeHtml(title)}</a></li>`).join('')}</ul>` : ''}
${links.length > 0 ? `<h2 id="operations">Operations that can answer it</h2><ul class="answering">${links.join('')}</ul>` : ''}`,
    markdown: [
      cause,
      `Status: ${reason}. What to do: ${action}`,
      '[Errors](/docs/concepts/errors.md)',
      operations.map(({ method, path }) => `- \`${method} ${path}\``).join('\n'),
    ].join('\n\n'),
  };
}

function operationsWith(code: string, document: ApiDocument) {
  return document.groups.flatMap(({ name, operations }) =>
    operations
      .filter(({ responses }) => responses.some(({ codes }) => codes.includes(code)))
      .map(({ id, method, path, summary }) => ({
        url: `${groupUrl(document, name)}#${id}`,
        title: summary,
        method,
        path,
      })),
  );
}
