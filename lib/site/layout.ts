/** The frame of every page: header, navigation, the page, its table of contents. */
import { escapeHtml } from '../mail/html/escape-html.ts';

/** A link of the navigation or of a list. */
export interface PageLink {
  readonly url: string;
  readonly title: string;
}

export interface NavigationSection {
  readonly title: string;
  readonly links: readonly PageLink[];
}

/** URLs of the files that pages load, with the hash of their content in the name. */
export interface Assets {
  readonly style: string;
  readonly script: string;
  readonly icon: string;
  readonly searchIndex: string;
}

/** What all pages of a site share. */
export interface Site {
  readonly brand: string;
  readonly assets: Assets;
  readonly sections: readonly NavigationSection[];
}

/** One page. */
export interface Page {
  readonly url: string;
  readonly title: string;
  /** Plain text. */
  readonly description: string;
  readonly html: string;
  /** The same in Markdown: what the twin of the page serves. Null: it has none. */
  readonly markdown: string | null;
  /** Anchor of the title. */
  readonly id?: string;
  /** The sections that the table of contents lists. */
  readonly contents?: readonly { readonly id: string; readonly text: string; readonly depth: number }[];
  /** Above the title: the section that the page is in. */
  readonly kicker?: string;
  /** Wider, for samples beside the text. */
  readonly isWide?: boolean;
  /** The page before and after in reading order. */
  readonly previous?: PageLink | undefined;
  readonly next?: PageLink | undefined;
}

/** URL of the Markdown twin of a page. */
export function twinOf(url: string): string {
  if (url === '/') return '/index.md';
  return `${url}.md`;
}

/** The whole html of a page. */
export function layout(site: Site, page: Page): string {
  const { assets, brand } = site;
  const title = page.url === '/' ? page.title : `${page.title} · ${brand}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<meta name="description" content="${escapeHtml(shortened(page.description, 200))}">
<link rel="stylesheet" href="${assets.style}">
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
${page.markdown === null ? '' : `<link rel="alternate" href="${escapeHtml(twinOf(page.url))}" type="text/markdown">`}
<script src="${assets.script}" defer></script>
</head><body data-search-index="${assets.searchIndex}">
<a class="skip" href="#main-content">Skip to content</a>
${header(site, page)}
<div class="frame">
<nav class="sidebar" id="navigation" aria-label="Documentation">${navigation(site, page)}</nav>
<main id="main-content" tabindex="-1"${page.isWide ? ' class="wide"' : ''}>
<article>
${page.kicker ? `<p class="kicker">${escapeHtml(page.kicker)}</p>` : ''}<h1${page.id ? ` id="${escapeHtml(page.id)}"` : ''}>${escapeHtml(page.title)}</h1>
${page.html}
</article>
${footer(page)}
</main>
${tableOfContents(page)}
</div>
</body></html>
`;
}

function header({ brand }: Site, { url }: Page): string {
  const links: readonly PageLink[] = [
    { url: '/docs', title: 'Docs' },
    { url: '/docs/v2', title: 'API reference' },
    { url: '/problems', title: 'Problems' },
  ];
  const current = [...links].reverse().find((link) => url === link.url || url.startsWith(`${link.url}/`));
  const items = links.map(
    (link) =>
      `<a href="${link.url}"${link === current ? ' aria-current="true"' : ''}>${escapeHtml(link.title)}</a>`,
  );
  return `<header class="top">
<button type="button" class="menu" aria-controls="navigation" aria-expanded="false" hidden><span aria-hidden="true">☰</span><span class="hidden">Menu</span></button>
<a class="brand" href="/">${mark}<span>${escapeHtml(brand)}</span></a>
<nav class="main-links" aria-label="Main">${items.join('')}</nav>
<button type="button" class="search" hidden><span>Search</span><kbd>/</kbd></button>
</header>`;
}

/** Two speech balloons: a conversation. */
const mark =
  '<svg viewBox="0 0 32 32" width="22" height="22" aria-hidden="true" focusable="false"><path fill="currentColor" d="M4 5h17a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3H11l-5 4v-4H4a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3z"/><path fill="currentColor" opacity=".55" d="M27 12h1a3 3 0 0 1 3 3v7a3 3 0 0 1-3 3v4l-5-4h-9a3 3 0 0 1-3-3v-1h11a5 5 0 0 0 5-5z"/></svg>';

/** The icon of the site as a file. */
export const iconFile = mark
  .replace('<svg ', '<svg xmlns="http://www.w3.org/2000/svg" ')
  .replaceAll('currentColor', '#3b6fd4');

function navigation({ sections }: Site, page: Page): string {
  return sections
    .map(({ title, links }) => {
      const items = links.map(({ url, title: text }) => {
        const isCurrent = url === page.url;
        const inner = isCurrent && page.isWide ? sectionList(page) : '';
        return `<li><a href="${escapeHtml(url)}"${isCurrent ? ' aria-current="page"' : ''}>${escapeHtml(text)}</a>${inner}</li>`;
      });
      return `<details open><summary>${escapeHtml(title)}</summary><ul>${items.join('')}</ul></details>`;
    })
    .join('');
}

/** The sections of a page, as links. */
function sectionList({ contents = [] }: Page): string {
  const items = contents.map(
    ({ id, text, depth }) =>
      `<li${depth > 2 ? ' class="deep"' : ''}><a href="#${escapeHtml(id)}">${escapeHtml(text)}</a></li>`,
  );
  return `<ul class="sections">${items.join('')}</ul>`;
}

/** Wide pages have theirs in the navigation. */
function tableOfContents(page: Page): string {
  if (page.isWide || (page.contents ?? []).length < 2) return '';
  return `<nav class="contents" aria-label="On this page"><p>On this page</p>${sectionList(page)}</nav>`;
}

function footer({ url, markdown, previous, next }: Page): string {
  const link = (target: PageLink | undefined, name: string) =>
    target
      ? `<a class="${name}" href="${escapeHtml(target.url)}"><small>${name === 'next' ? 'Next' : 'Previous'}</small>${escapeHtml(target.title)}</a>`
      : '';
  const around =
    previous || next
      ? `<nav class="around" aria-label="Pages before and after">${link(previous, 'previous')}${link(next, 'next')}</nav>`
      : '';
  return `<footer>${around}<p class="soft">${markdown === null ? '' : `<a href="${escapeHtml(twinOf(url))}">This page as Markdown</a> · `}<a href="/llms.txt">llms.txt</a></p></footer>`;
}

/** Text of at most `length` characters, cut between words. */
export function shortened(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, text.lastIndexOf(' ', length))} …`;
}
