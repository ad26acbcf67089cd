/** OpenDocument text documents (ODT) as Markdown. */
import { escapeHtml } from '../../html/escape-html.ts';
import { cutWarning, markdownOfHtml } from '../markdown.ts';
import { section } from '../office-parts.ts';
import { objectsOf, readOpenDocument } from '../open-document.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';
import { type Tag, walkXml } from '../xml.ts';

/** Html equivalents of elements. */
const htmlNames: Readonly<Record<string, string>> = {
  p: 'p',
  'list-item': 'li',
  'list-header': 'li',
  table: 'table',
  'table-row': 'tr',
  'table-cell': 'td',
};
/** Elements that are skipped: deletions, comments, footnote marks, fields (their values stand at their controls). */
const unread = new Set(['tracked-changes', 'annotation', 'note-citation', 'forms']);
const headersAndFooters = /^(?:header|footer)(?:-left|-first)?$/;
const comments = /^annotation$/;
const spacesMax = 40;
export const objectsTitle = 'Charts, formulas and other objects';

export async function readOdt({ bytes }: SourceFile): Promise<ReaderResult> {
  const document = await readOpenDocument(bytes);
  const { content, styles } = document;
  const objects = await objectsOf(document);
  const known = stylesOf([styles, content]);
  const warnings = [...objects.warnings];
  const body = markdownOfHtml(htmlOf(content, known, valuesOf(content)), () => warnings.push(cutWarning));
  const sides = [
    section('Headers and footers', styles ? paragraphsIn(styles, headersAndFooters) : []),
    section('Comments', paragraphsIn(content, comments)),
    section(objectsTitle, objects.paragraphs),
  ];
  return {
    text: [body, ...sides].filter(Boolean).join('\n\n'),
    format: 'markdown',
    warnings,
    isPartial: warnings.length > 0,
  };
}

/** The paragraphs inside elements of a name, equal ones once. */
function paragraphsIn(source: Buffer, names: RegExp): string[] {
  const found = new Set<string>();
  let depth = 0;
  let paragraph = '';
  walkXml(source, {
    open({ name }) {
      if (depth > 0 || names.test(name)) depth++;
      if (name === 'p') paragraph = '';
    },
    text(value) {
      if (depth > 0) paragraph += value;
    },
    close(name) {
      if (depth > 0 && name === 'p' && paragraph.trim()) found.add(paragraph.trim());
      if (depth > 0) depth--;
    },
  });
  return [...found];
}

/** Values of form fields by id. */
function valuesOf(content: Buffer): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  walkXml(content, {
    open({ attributes }) {
      const value = attributes['form:current-value'] ?? attributes['form:value'];
      const id = attributes['form:id'] ?? attributes['xml:id'];
      if (value && id) values.set(id, value);
    },
  });
  return values;
}

function htmlOf(content: Buffer, styles: Styles, values: ReadonlyMap<string, string>): string {
  const html: string[] = [];
  const open: string[] = [];
  let isBody = false;
  let skipped = 0;
  let notes = 0;

  const begin = (tag: Tag) => {
    const { name, attributes } = tag;
    const written = htmlOfCharacters(tag) ?? htmlOfField(tag, values);
    if (written !== null) html.push(written);
    // A paragraph inside a footnote would end the paragraph around it.
    else if (name === 'note-body') html.push(notes++ === 0 ? ' (' : '');
    else if (name === 'p' && notes > 0 && !html.at(-1)?.endsWith('(')) html.push(' ');
    const html5 = notes > 0 ? null : htmlName(tag, styles);
    open.push(html5 ?? '');
    if (html5 === 'a') html.push(`<a href="${escapeHtml(attributes['xlink:href'] ?? '')}">`);
    else if (html5) html.push(`<${html5}>`);
  };

  walkXml(content, {
    open(tag) {
      if (tag.name === 'body') isBody = true;
      else if (skipped > 0 || unread.has(tag.name)) skipped++;
      else if (isBody) begin(tag);
    },
    text(value) {
      if (isBody && skipped === 0) html.push(escapeHtml(value));
    },
    close(name) {
      if (skipped > 0) skipped--;
      else if (name === 'body') isBody = false;
      else if (isBody) {
        const html5 = open.pop();
        if (html5) html.push(`</${html5}>`);
        if (name === 'note-body') html.push(--notes === 0 ? ')' : '');
      }
    },
  });
  return html.join('');
}

/** What a form field shows; null for other elements. */
function htmlOfField({ name, attributes }: Tag, values: ReadonlyMap<string, string>): string | null {
  return name === 'control' ? ` ${escapeHtml(values.get(attributes['draw:control'] ?? '') ?? '')} ` : null;
}

/** The html of an element that is text by itself; null for others. */
export function htmlOfCharacters({ name, attributes }: Tag): string | null {
  if (name === 's') return ' '.repeat(Math.min(Number(attributes['text:c']) || 1, spacesMax));
  if (name === 'tab') return ' ';
  return name === 'line-break' ? '<br>' : null;
}

export function htmlName({ name, attributes }: Tag, { numbered, titles }: Styles): string | null {
  const style = attributes['text:style-name'] ?? '';
  if (name === 'h') return `h${Math.min(Math.max(Number(attributes['text:outline-level']) || 1, 1), 6)}`;
  if (name === 'list') return numbered.has(style) ? 'ol' : 'ul';
  if (name === 'p' && titles.has(style)) return 'h1';
  return name === 'a' ? 'a' : (htmlNames[name] ?? null);
}

/** Style names with a meaning. */
export interface Styles {
  /** Lists with a numbered first level. */
  readonly numbered: ReadonlySet<string>;
  /** Paragraphs that are the document title. */
  readonly titles: ReadonlySet<string>;
}

/** @param sources the named styles, then the content with its automatic styles */
export function stylesOf(sources: readonly (Buffer | null)[]): Styles {
  const numbered = new Set<string>();
  const titles = new Set(['Title']);
  let list = '';
  for (const source of sources) {
    if (!source) continue;
    walkXml(source, {
      open({ name, attributes }) {
        const named = attributes['style:name'] ?? '';
        if (name === 'list-style') list = named;
        else if (name === 'list-level-style-number' && attributes['text:level'] === '1') numbered.add(list);
        else if (name === 'style' && titles.has(attributes['style:parent-style-name'] ?? ''))
          titles.add(named);
      },
    });
  }
  return { numbered, titles };
}
