/** Text of the parts of Office documents beside the main one: headers, comments, charts, diagrams, text boxes. */
import type { Archive } from './archive.ts';
import { escapeText } from './markdown.ts';
import { relationshipsOf } from './relationships.ts';
import { walkXml } from './xml.ts';

/** Elements whose text is no longer in the document, or is there a second time. */
const unread = new Set(['del', 'moveFrom', 'Fallback', 'instrText', 'delText']);
/** Elements of text: of Word and drawings, of charts, of comments in presentations. */
const textNames = new Set(['t', 'v', 'text']);
const paragraphNames = new Set(['p', 'v', 'text', 'pt', 'comment', 'cm']);

/** The paragraphs of a part that have text, in order; equal ones once. */
export function paragraphsOf(part: Buffer | null): string[] {
  const found = new Set<string>();
  let paragraph = '';
  let skipped = 0;
  let isText = false;
  const end = () => {
    const text = paragraph.replace(/\s+/g, ' ').trim();
    if (text) found.add(text);
    paragraph = '';
  };
  if (part === null) return [];
  walkXml(part, {
    open({ name, attributes }) {
      if (skipped > 0 || unread.has(name)) skipped++;
      // WordArt, such as a watermark.
      else if (name === 'textpath') paragraph += ` ${attributes.string ?? ''} `;
      else if (paragraphNames.has(name)) end();
      else if (name === 'tab' || name === 'br') paragraph += ' ';
      isText = skipped === 0 && textNames.has(name);
    },
    text(value) {
      if (isText) paragraph += value;
    },
    close(name) {
      isText = false;
      if (skipped > 0) skipped--;
      else if (paragraphNames.has(name)) end();
    },
  });
  end();
  return [...found];
}

/** The paragraphs with a word that the text lacks. */
export function missingFrom(text: string, paragraphs: readonly string[]): string[] {
  const present = new Set(wordsOf(text));
  return paragraphs.filter((paragraph) => wordsOf(paragraph).some((word) => !present.has(word)));
}

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Paragraphs under a title; empty without any. */
export function section(title: string, paragraphs: readonly string[]): string {
  return paragraphs.length === 0 ? '' : `${title}:\n\n${paragraphs.map(escapeText).join('\n\n')}`;
}

/** A warning about files inside a document or presentation; the data of its charts are none. */
export async function embeddedWarnings(archive: Archive): Promise<string[]> {
  const files = new Set(archive.names.filter((name) => /^(?:word|ppt)\/embeddings\/[^/]+$/i.test(name)));
  const charts = files.size === 0 ? [] : archive.names.filter((name) => /\/charts\/[^/]+\.xml$/.test(name));
  for (const chart of charts) {
    for (const { target } of (await relationshipsOf(archive, chart)).values()) files.delete(target);
  }
  return files.size > 0 ? [`Files or objects inside the document that are not read: ${files.size}.`] : [];
}
