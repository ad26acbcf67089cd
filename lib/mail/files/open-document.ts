/** The package of OpenDocument files (ISO/IEC 26300): content and styles. */
import { type Archive, openArchive } from './archive.ts';
import { passwordWarning, Unreadable } from './reader.ts';
import { walkXml } from './xml.ts';

export interface OpenDocument {
  /** All the parts, such as embedded objects. */
  readonly archive: Archive;
  /** XML of the text or the sheets. */
  readonly content: Buffer;
  /** XML of the named styles; null if there are none. */
  readonly styles: Buffer | null;
}

/** @throws Unreadable if the file is password-protected or has no content */
export async function readOpenDocument(bytes: Uint8Array): Promise<OpenDocument> {
  const archive = await openArchive(bytes);
  const manifest = await archive.read('META-INF/manifest.xml');
  if (manifest && isEncrypted(manifest)) throw new Unreadable(passwordWarning);
  const content = await archive.read('content.xml');
  if (!content) throw new Unreadable('The file is no document: its content is missing.');
  return { archive, content, styles: await archive.read('styles.xml') };
}

/**
 * The paragraphs of the objects inside a document, equal ones once: labels and data of charts, formulas, sheets.
 *
 * @returns warnings about objects in a format of another program, or damaged
 */
export async function objectsOf({
  archive,
  content,
}: OpenDocument): Promise<{ paragraphs: string[]; warnings: string[] }> {
  const found = new Set<string>();
  let unread = 0;
  for (const name of archive.names) {
    if (!/^[^/]+\/content\.xml$/.test(name)) continue;
    try {
      for (const paragraph of paragraphsOfObject(await archive.read(name))) found.add(paragraph);
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      unread++;
    }
  }
  walkXml(content, {
    open({ name }) {
      if (name === 'object-ole') unread++;
    },
  });
  const warnings = unread > 0 ? [`Files or objects inside the document that are not read: ${unread}.`] : [];
  return { paragraphs: [...found], warnings };
}

const paragraphNames = new Set(['p', 'h', 'math']);

function paragraphsOfObject(content: Buffer | null): string[] {
  const paragraphs: string[] = [];
  let text = '';
  let depth = 0;
  let skipped = 0;
  if (!content) return paragraphs;
  walkXml(content, {
    open({ name }) {
      // The source of a formula in the language of a program, or a comment.
      if (skipped > 0 || name === 'annotation') skipped++;
      if (paragraphNames.has(name)) depth++;
    },
    text(value) {
      if (depth > 0 && skipped === 0) text += value;
    },
    close(name) {
      if (skipped > 0) skipped--;
      if (!paragraphNames.has(name) || --depth > 0) return;
      const paragraph = text.replace(/\s+/g, ' ').trim();
      if (paragraph !== '') paragraphs.push(paragraph);
      text = '';
    },
  });
  return paragraphs;
}

function isEncrypted(manifest: Buffer): boolean {
  let found = false;
  walkXml(manifest, {
    open({ name }) {
      found ||= name === 'encryption-data';
    },
  });
  return found;
}
