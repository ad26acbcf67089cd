/** The start of the host, the start of the documentation, the page for what does not exist, and llms.txt. */
import { escapeHtml } from '../mail/html/escape-html.ts';
import { type NavigationSection, type Page, type Site, shortened, twinOf } from './layout.ts';

/** Descriptions of pages by URL. */
export type Descriptions = ReadonlyMap<string, string>;

export function homePage({ brand }: Site): Page {
  const links = [
    { url: '/docs', title: 'Documentation', text: 'Concepts, guides, and how to operate a deployment.' },
    {
      url: '/docs/v2',
      title: 'API reference',
      text: 'Every operation, with samples in curl, TypeScript and Python.',
    },
    { url: '/problems', title: 'Problems', text: 'Every error code, what causes it and what to do.' },
    { url: '/api/v2/openapi.json', title: 'OpenAPI document', text: 'The API for programs and generators.' },
    { url: '/docs/v1', title: 'Version 1', text: 'The earlier interface.' },
    {
      url: '/api/v1/openapi.json',
      title: 'OpenAPI document of version 1',
      text: 'The earlier interface for programs.',
    },
    { url: '/health', title: 'Health', text: 'Whether the API is up.' },
  ];
  return {
    url: '/',
    title: brand,
    description: 'Email infrastructure for software that holds conversations.',
    html: `<p class="lead">Email infrastructure for software that holds conversations. The API is at <code data-origin>https://api.example.com/api/v2</code>.</p>${cards(links)}`,
    markdown: links.map(({ url, title, text }) => `- [${title}](${url}): ${text}`).join('\n'),
  };
}

export function docsStartPage({ brand, sections }: Site, descriptions: Descriptions): Page {
  const html = sections.map(
    ({ title, links }) =>
      `<h2 id="${anchorOf(title)}">${escapeHtml(title)}</h2>${cards(
        links.map((link) => ({ ...link, text: shortened(descriptions.get(link.url) ?? '', 140) })),
      )}`,
  );
  return {
    url: '/docs',
    title: 'Documentation',
    description: `The documentation of ${brand}: guides, concepts, API reference and operation.`,
    html: html.join(''),
    markdown: pageLists(sections, descriptions),
    contents: sections.map(({ title }) => ({ id: anchorOf(title), text: title, depth: 2 })),
  };
}

const anchorOf = (title: string): string => title.toLowerCase().replace(/[^a-z0-9]+/g, '-');

function cards(links: readonly { url: string; title: string; text: string }[]): string {
  const items = links.map(
    ({ url, title, text }) =>
      `<li><a href="${escapeHtml(url)}"><strong>${escapeHtml(title)}</strong><span>${escapeHtml(text)}</span></a></li>`,
  );
  return `<ul class="cards">${items.join('')}</ul>`;
}

export function missingPage(): Page {
  return {
    url: '/404',
    title: 'This page does not exist',
    description: 'The page does not exist.',
    html: '<p class="lead">The address is wrong, or the page has moved.</p><p>Start at <a href="/docs">the documentation</a>, <a href="/docs/v2">the API reference</a> or <a href="/problems">the problem codes</a>.</p>',
    markdown: null,
  };
}

/** The list of pages for language models (llmstxt.org). */
export function llmsText(site: Site, descriptions: Descriptions): string {
  return `# ${site.brand}

> Email infrastructure for software that holds conversations: send, receive and reply in threads, over a JSON API.

Each page of the documentation is served as Markdown under its address with \`.md\`. The API is described by
[/api/v2/openapi.json](/api/v2/openapi.json).

${pageLists(site.sections, descriptions)}

## Problems

- [Problems](/problems.md): every error code, with what causes it and what to do
`;
}

function pageLists(sections: readonly NavigationSection[], descriptions: Descriptions): string {
  return sections
    .map(({ title, links }) => {
      const lines = links.map((link) => {
        const text = shortened(descriptions.get(link.url) ?? '', 160);
        return `- [${link.title}](${twinOf(link.url)})${text ? `: ${text}` : ''}`;
      });
      return `## ${title}\n\n${lines.join('\n')}`;
    })
    .join('\n\n');
}
