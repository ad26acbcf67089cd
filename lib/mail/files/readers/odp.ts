/** OpenDocument presentations (ODP) as Markdown: a heading for each slide, with text, tables, comments and notes. */
import { escapeHtml } from '../../html/escape-html.ts';
import { extractionLimits } from '../limits.ts';
import { escapeTags, markdownOfHtml, oneLine } from '../markdown.ts';
import { section } from '../office-parts.ts';
import { objectsOf, readOpenDocument } from '../open-document.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';
import { type Tag, walkXml } from '../xml.ts';
import { htmlName, htmlOfCharacters, objectsTitle, type Styles, stylesOf } from './odt.ts';

interface Slide {
  readonly title: string[];
  /** Html. */
  readonly body: string[];
  /** Html. */
  readonly notes: string[];
}

export async function readOdp({ bytes }: SourceFile): Promise<ReaderResult> {
  const document = await readOpenDocument(bytes);
  const { content, styles } = document;
  const objects = await objectsOf(document);
  const slides = slidesOf(content, stylesOf([styles, content]));
  const shown = slides.slice(0, extractionLimits.pages);
  const isCut = shown.length < slides.length;
  return {
    text: [...shown.map(slideText), section(objectsTitle, objects.paragraphs)].filter(Boolean).join('\n\n'),
    format: 'markdown',
    pages: slides.length,
    isPartial: isCut || objects.warnings.length > 0,
    warnings: [
      ...(isCut ? [`Only the first ${shown.length} of ${slides.length} slides are shown.`] : []),
      ...objects.warnings,
    ],
  };
}

function slideText({ title, body, notes }: Slide, at: number): string {
  const remarks = markdownOfHtml(notes.join(''));
  return [
    `## ${escapeTags(oneLine(title.join(''))) || `Slide ${at + 1}`}`,
    markdownOfHtml(body.join('')),
    remarks ? `Notes: ${remarks}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** Classes of frames whose text is furniture of the slide rather than its content. */
const furniture = new Set(['date-time', 'footer', 'header', 'page-number']);

interface Progress {
  readonly slides: Slide[];
  /** Html element of each open element; empty where it has none. */
  readonly open: string[];
  /** Class of the current frame, such as `title`. */
  role: string;
  isNotes: boolean;
  /** Open paragraphs. Text outside of them is metadata, such as the author of a comment. */
  paragraphs: number;
}

function slidesOf(content: Buffer, styles: Styles): Slide[] {
  const progress: Progress = { slides: [], open: [], role: '', isNotes: false, paragraphs: 0 };
  const { slides } = progress;
  walkXml(content, {
    open(tag) {
      if (tag.name === 'page') slides.push({ title: [], body: [], notes: [] });
      if (slides.length > 0) begin(progress, tag, styles);
    },
    text(value) {
      if (progress.paragraphs > 0) write(progress, escapeHtml(value), value);
    },
    close(name) {
      if (slides.length > 0) end(progress, name);
    },
  });
  return slides;
}

function begin(progress: Progress, tag: Tag, styles: Styles): void {
  const { name, attributes } = tag;
  if (name === 'frame') progress.role = attributes['presentation:class'] ?? '';
  else if (name === 'notes') progress.isNotes = true;
  else if (name === 'annotation') write(progress, '<p>Comment:</p>');
  else if (name === 'p' || name === 'h') progress.paragraphs++;
  const element = htmlName(tag, styles) ?? '';
  const characters = htmlOfCharacters(tag);
  progress.open.push(element);
  if (element === 'a') write(progress, `<a href="${escapeHtml(attributes['xlink:href'] ?? '')}">`);
  else if (element) write(progress, `<${element}>`, ' ');
  else if (characters) write(progress, characters, ' ');
}

function end(progress: Progress, name: string): void {
  const element = progress.open.pop();
  if (element) write(progress, `</${element}>`);
  if (name === 'frame') progress.role = '';
  else if (name === 'notes') progress.isNotes = false;
  else if (name === 'p' || name === 'h') progress.paragraphs--;
}

/** @param text the same in a title */
function write({ slides, role, isNotes }: Progress, html: string, text = ''): void {
  const slide = slides.at(-1);
  if (role === 'title') slide?.title.push(text);
  else if (!furniture.has(role)) (isNotes ? slide?.notes : slide?.body)?.push(html);
}
