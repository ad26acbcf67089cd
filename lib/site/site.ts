/** The whole site as files in memory: pages, their Markdown twins, the index of the search, style, script and icons. */
import { createHash } from 'node:crypto';
import { docsPages, docsSections, type Sources } from './docs-pages.ts';
import { faviconFile } from './favicon.ts';
import {
  type Assets,
  iconFile,
  layout,
  type NavigationSection,
  type Page,
  type Site,
  twinOf,
} from './layout.ts';
import { type Navigation, readNavigation } from './navigation.ts';
import { type Problems, problemPages, problemUrl } from './problem-pages.ts';
import { type ApiDocument, type JsonObject, readDocument } from './reference/document.ts';
import { groupUrl, referencePages, titleOfGroup } from './reference/pages.ts';
import { searchIndex } from './search-index.ts';
import { docsStartPage, homePage, llmsText, missingPage } from './start-pages.ts';

/** Everything that the site is made of. */
export interface SiteInput {
  readonly brand: string;
  /** The Markdown files below docs/ by path. */
  readonly sources: Sources;
  /** Text of docs/navigation.json. */
  readonly navigation: string;
  /** OpenAPI documents. */
  readonly v2: JsonObject;
  readonly v1: JsonObject;
  /** `POST /api/v2/emails` to `emails.send`: group and method of each operation in clients. */
  readonly names: ReadonlyMap<string, string>;
  readonly problems: Problems;
  readonly style: string;
  readonly script: string;
}

export interface SiteFile {
  readonly type: string;
  readonly content: string | Buffer;
  /** The name has the hash of the content. */
  readonly isImmutable: boolean;
}

/** URL path to file; `/404` is the page for what does not exist. */
export type SiteFiles = ReadonlyMap<string, SiteFile>;

const html = 'text/html; charset=utf-8';
const markdown = 'text/markdown; charset=utf-8';

/** @throws Error for a page that is missing in docs/, or that cannot be rendered */
export function buildSite(input: SiteInput): SiteFiles {
  const navigation = readNavigation(input.navigation, new Set(input.sources.keys()));
  const [v2, v1] = [readDocument(input.v2, input.names), readDocument(input.v1, input.names)];
  const pages = pagesOf(input, navigation, v2, v1);
  const assets = assetsOf(input, searchIndex(searchEntries(pages, input.problems)));
  const site: Site = {
    brand: input.brand,
    assets: assets.urls,
    sections: sectionsOf(input, navigation, v2, v1),
  };
  const descriptions = new Map(pages.map(({ url, description }) => [url, description]));
  const all = [homePage(site), docsStartPage(site, descriptions), ...pages];
  const files = new Map<string, SiteFile>(assets.files);
  for (const page of [...all, missingPage()]) {
    files.set(page.url, { type: html, content: layout(site, page), isImmutable: false });
    if (page.markdown === null) continue;
    const twin = `# ${page.title}\n\n${page.markdown.trim()}\n`;
    files.set(twinOf(page.url), { type: markdown, content: twin, isImmutable: false });
  }
  files.set('/llms.txt', {
    type: 'text/plain; charset=utf-8',
    content: llmsText(site, descriptions),
    isImmutable: false,
  });
  return files;
}

function pagesOf(input: SiteInput, navigation: Navigation, v2: ApiDocument, v1: ApiDocument): Page[] {
  const problem = (code: string) => problemUrl(input.problems, code);
  const operations = operationUrls(v2);
  const docs = docsPages(navigation, input.sources, {
    problem,
    operation: (words) => operations.get(words) ?? null,
  });
  const mentions = Map.groupBy(
    docs.flatMap(({ codes, url, title }) => [...codes].map((code) => ({ code, url, title }))),
    ({ code }) => code,
  );
  return [
    ...docs,
    ...inOrder(referencePages(v2, input.brand, problem)),
    // The codes of version 1 are others.
    ...inOrder(referencePages(v1, input.brand, () => null)),
    ...problemPages(input.problems, v2, mentions),
  ];
}

/** `POST /emails` to the operation in the reference. */
function operationUrls(document: ApiDocument): Map<string, string> {
  return new Map(
    document.groups.flatMap(({ name, operations }) =>
      operations.flatMap(({ id, method, path }) => {
        const url = `${groupUrl(document, name)}#${id}`;
        return [
          [`${method} ${path}`, url],
          [`${method} ${path.slice(document.basePath.length)}`, url],
        ] as const;
      }),
    ),
  );
}

function inOrder(pages: readonly Page[]): Page[] {
  return pages.map((page, at) => ({ ...page, previous: pages[at - 1], next: pages[at + 1] }));
}

function sectionsOf(
  { sources }: SiteInput,
  navigation: Navigation,
  v2: ApiDocument,
  v1: ApiDocument,
): NavigationSection[] {
  const reference = (document: ApiDocument): NavigationSection => ({
    title: document.version === '2' ? 'API reference' : `API reference, version ${document.version}`,
    links: [
      { url: `/docs/v${document.version}`, title: 'Overview' },
      ...document.groups.map(({ name }) => ({ url: groupUrl(document, name), title: titleOfGroup(name) })),
      { url: `/docs/v${document.version}/webhook-events`, title: 'Webhook events' },
      { url: `/docs/v${document.version}/schemas`, title: 'Schemas' },
      ...(document.version === '2' ? [{ url: '/problems', title: 'Problem codes' }] : []),
    ],
  });
  return [...docsSections(navigation, sources), reference(v2), reference(v1)];
}

/** Sections of docs/ of which most people look for none. */
const operatorSections = ['Operating', 'Inside'];

/** Whole pages are first. Schemas, version 1 and the pages for operators are last. */
function weightOf({ kicker, url }: Page, isStart: boolean): number {
  if (/\/v1\b|-from-v1$|\/v2$|\/schemas$/.test(url) || operatorSections.includes(kicker ?? '')) return 0.3;
  return isStart && !url.startsWith('/problems/') ? 2 : 1;
}

/** Pages of docs/ by section; operations, events and problem codes by their heading. */
function searchEntries(pages: readonly Page[], problems: Problems) {
  return pages.flatMap((page) => {
    const code = /^\/problems\/(.+)$/.exec(page.url)?.[1] ?? '';
    const start = {
      url: page.url,
      title: page.title,
      heading: '',
      kicker: page.kicker ?? '',
      text: page.description,
      names: String(problems[code]?.status ?? ''),
      weight: weightOf(page, true),
    };
    if ('rendered' in page) {
      const { sections } = (page as ReturnType<typeof docsPages>[number]).rendered;
      return sections.map(({ heading, text }) => ({
        url: heading ? `${page.url}#${heading.id}` : page.url,
        title: page.title,
        heading: heading?.text ?? '',
        kicker: heading ? '' : (page.kicker ?? ''),
        text,
        names: '',
        weight: weightOf(page, !heading),
      }));
    }
    const headings = page.url.startsWith('/problems') ? [] : (page.contents ?? []);
    return [
      start,
      ...headings.map(({ id, text }) => ({
        url: `${page.url}#${id}`,
        title: page.kicker ? `${page.title}, ${page.kicker}` : page.title,
        heading: text,
        kicker: '',
        text: '',
        names: id,
        weight: weightOf(page, false),
      })),
    ];
  });
}

function assetsOf(
  { script, style }: SiteInput,
  index: string,
): { urls: Assets; files: [string, SiteFile][] } {
  const files: [string, SiteFile][] = [];
  const add = (name: string, type: string, content: string): string => {
    const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
    const url = `/docs/assets/${name.replace('.', `-${hash}.`)}`;
    files.push([url, { type, content, isImmutable: true }]);
    return url;
  };
  const urls = {
    style: add('site.css', 'text/css; charset=utf-8', style),
    script: add('site.js', 'text/javascript; charset=utf-8', script),
    icon: add('icon.svg', 'image/svg+xml', iconFile),
    searchIndex: add('search.json', 'application/json', index),
  };
  files.push(['/favicon.ico', { type: 'image/x-icon', content: faviconFile(), isImmutable: false }]);
  return { urls, files };
}
