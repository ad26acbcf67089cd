/** The pages of docs/ as pages of the site. */
import { posix } from 'node:path';
import type { NavigationSection, Page, PageLink } from './layout.ts';
import { type RenderedPage, renderMarkdown } from './markdown.ts';
import { type Navigation, urlOfPage } from './navigation.ts';

/** Path below docs/ to the text of the page. */
export type Sources = ReadonlyMap<string, string>;

export interface DocsPage extends Page {
  readonly rendered: RenderedPage;
  /** The problem codes that the page names. */
  readonly codes: ReadonlySet<string>;
}

/** Where code in the text leads: problem codes, and operations as in `POST /emails`. */
export interface CodeTargets {
  problem(code: string): string | null;
  operation(words: string): string | null;
}

/** The title of a page, and what is left out of the site: without rendering it. */
export function titleOf(source: string): string {
  return /^# (.+)$/m.exec(source)?.[1]?.trim() ?? '';
}

export function docsSections(navigation: Navigation, sources: Sources): NavigationSection[] {
  return navigation.map(({ title, pages }) => ({
    title,
    links: pages.map((page) => ({ url: urlOfPage(page), title: titleOf(sources.get(page) ?? '') })),
  }));
}

/** The pages in reading order. @throws Error naming the page that cannot be read */
export function docsPages(navigation: Navigation, sources: Sources, targets: CodeTargets): DocsPage[] {
  const listed = navigation.flatMap(({ title, pages }) => pages.map((path) => ({ path, kicker: title })));
  const known = new Set(listed.map(({ path }) => path));
  const linkTo = (path: string | undefined): PageLink | undefined =>
    path === undefined ? undefined : { url: urlOfPage(path), title: titleOf(sources.get(path) ?? '') };
  return listed.map(({ path, kicker }, at) => {
    const source = sources.get(path) ?? '';
    const codes = new Set<string>();
    const rendered = render(path, source, {
      link: (href) => siteUrl(path, href, known),
      code: (text) => {
        const problem = targets.problem(text);
        if (problem !== null) codes.add(text);
        return problem ?? targets.operation(text);
      },
    });
    return {
      rendered,
      codes,
      url: urlOfPage(path),
      title: rendered.title,
      id: rendered.id,
      description: rendered.description,
      kicker,
      html: rendered.html,
      markdown: markdownOf(path, source, known),
      contents: rendered.headings.filter(({ depth }) => depth === 2 || depth === 3),
      previous: linkTo(listed[at - 1]?.path),
      next: linkTo(listed[at + 1]?.path),
    };
  });
}

function render(path: string, source: string, targets: Parameters<typeof renderMarkdown>[1]): RenderedPage {
  try {
    return renderMarkdown(source, targets);
  } catch (error) {
    throw new Error(`docs/${path} cannot be rendered`, { cause: error });
  }
}

/**
 * URL of a link of a page; null: the target is not on the site.
 *
 * @param page path below docs/ of the page with the link
 */
export function siteUrl(page: string, href: string, known: ReadonlySet<string>): string | null {
  if (/^(https?:|mailto:|\/|#)/.test(href)) return href;
  const [target = '', anchor] = href.split('#');
  const path = posix.join(posix.dirname(page), target);
  const end = anchor === undefined ? '' : `#${anchor}`;
  const [, version] = /^openapi\/(v\d)\.json$/.exec(path) ?? [];
  if (version) return `/api/${version}/openapi.json`;
  return path === 'README.md' || known.has(path) ? `${urlOfPage(path)}${end}` : null;
}

/** The text with links to the twins of pages. */
function markdownOf(page: string, source: string, known: ReadonlySet<string>): string {
  return source.replace(/^# .+\n+/, '').replace(/\]\(([^)\s]+)\)/g, (link, href: string) => {
    const url = siteUrl(page, href, known);
    if (url === null || !url.startsWith('/docs')) return link;
    const [path = '', anchor] = url.split('#');
    return `](${path === '/docs' ? '/docs.md' : `${path}.md`}${anchor === undefined ? '' : `#${anchor}`})`;
  });
}
