/** Word documents (DOCX) as Markdown. */
import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { type Archive, openArchive } from '../archive.ts';
import { markdownOfHtml } from '../markdown.ts';
import { type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';

/** Parts with text and styles; images and fonts are not expanded. */
const textParts = /^(?:\[Content_Types\]\.xml|(?:.*\/)?_rels\/.*\.rels|word\/[^/]+\.xml)$/;

export async function readDocx({ bytes }: SourceFile): Promise<ReaderResult> {
  const archive = await openArchive(bytes);
  if (!archive.names.some((name) => name.startsWith('word/'))) {
    throw new Unreadable('The file is not a Word document.');
  }
  // The library expands every part, so it gets an archive of the checked parts only.
  const checked = Buffer.from(zipSync(await textOf(archive), { level: 0 }));
  const { value: html } = await mammoth.convertToHtml(
    { buffer: checked },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh"],
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  );
  // The library adds an arrow from each footnote to its reference.
  const text = markdownOfHtml(html.replaceAll(/<a href="#[^"]*">↑<\/a>/g, ''));
  return { text, format: 'markdown' };
}

async function textOf(archive: Archive): Promise<Record<string, Uint8Array>> {
  const parts: Record<string, Uint8Array> = {};
  for (const name of archive.names) {
    const content = textParts.test(name) ? await archive.read(name) : null;
    if (content) parts[name] = content;
  }
  return parts;
}
