/** Word documents (DOCX) as Markdown. */
import { zipSync } from 'fflate';
import mammoth from 'mammoth';
import { bufferOf } from '../../text/octets.ts';
import { textOfRtf } from '../../text/rtf.ts';
import { type Archive, openArchive } from '../archive.ts';
import { decodeFile, decodeTextFile } from '../decode.ts';
import { cutWarning, escapeText, markdownOfHtml } from '../markdown.ts';
import { embeddedWarnings, missingFrom, paragraphsOf, section } from '../office-parts.ts';
import { type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';
import { relationshipsOf } from '../relationships.ts';
import { decodeXml } from '../xml.ts';

/** Parts with text and styles; images and fonts are not expanded. */
const textParts = /^(?:\[Content_Types\]\.xml|(?:.*\/)?_rels\/.*\.rels|word\/[^/]+\.xml)$/;
const mainPart = /^word\/document\d*\.xml$/;
/** An imported file in place of paragraphs (ECMA-376 part 1, 17.17.2.1). */
const importedFile =
  /<w:altChunk\b[^>]{0,300}?\br:id="([^"]{1,100})"[^>]{0,300}?(?:\/>|>[^<]*(?:<w:altChunkPr>.{0,200}?<\/w:altChunkPr>)?[^<]*<\/w:altChunk>)/gs;
/** Imported documents may import further ones. */
const importDepthMax = 2;
const importsMax = 100;
/** Parts that the library leaves out, with their titles. */
const sideParts: readonly (readonly [title: string, part: RegExp])[] = [
  ['Header', /^word\/header\d*\.xml$/],
  ['Footer', /^word\/footer\d*\.xml$/],
  ['Comments', /^word\/comments\d*\.xml$/],
  ['Chart', /^word\/charts\/chart\d*\.xml$/],
  ['Diagram', /^word\/diagrams\/data\d*\.xml$/],
];

export async function readDocx({ bytes }: SourceFile, depth = 0): Promise<ReaderResult> {
  const archive = await openArchive(bytes);
  if (!archive.names.some((name) => name.startsWith('word/'))) {
    throw new Unreadable('The file is not a Word document.');
  }
  const parts = await textOf(archive);
  const main = await mainPartOf(archive);
  const imports = parts[main] ? await importsOf(archive, main, parts, depth) : [];
  // The library expands every part, so it gets an archive of the checked parts only.
  const checked = Buffer.from(zipSync(parts, { level: 0 }));
  const { value: html } = await mammoth.convertToHtml(
    { buffer: checked },
    {
      styleMap: ["p[style-name='Title'] => h1:fresh"],
      convertImage: mammoth.images.imgElement(async () => ({ src: '' })),
      externalFileAccess: false,
    },
  );
  // The library adds an arrow from each footnote to its reference.
  const missing = await embeddedWarnings(archive);
  const body = markdownOfHtml(html.replaceAll(/<a href="#[^"]*">↑<\/a>/g, ''), () =>
    missing.push(cutWarning),
  );
  const others = missingFrom(body, paragraphsOf(parts[main] ? bufferOf(parts[main]) : null));
  const text = body.replace(markers, (_, at: string) => imports[Number(at)]?.text ?? '');
  const warnings = [...imports.flatMap((one) => one.warnings ?? []), ...missing];
  return {
    text: [text, section('Text in shapes and fields', others), ...(await sidesOf(archive))]
      .filter(Boolean)
      .join('\n\n'),
    format: 'markdown',
    warnings: [...new Set(warnings)],
    isPartial: missing.length > 0 || imports.some(({ isPartial }) => isPartial),
  };
}

async function mainPartOf(archive: Archive): Promise<string> {
  const start = [...(await relationshipsOf(archive, '')).values()].find(
    ({ type }) => type === 'officeDocument',
  );
  return start?.target ?? archive.names.find((name) => mainPart.test(name)) ?? '';
}

async function textOf(archive: Archive): Promise<Record<string, Uint8Array>> {
  const parts: Record<string, Uint8Array> = {};
  for (const name of archive.names) {
    const content = textParts.test(name) ? await archive.read(name) : null;
    if (content) parts[name] = content;
  }
  return parts;
}

/** The place of an imported file in the text: characters that no document has. */
const marker = (at: number) => `\uf8f0${at}\uf8f1`;
const markers = /\uf8f0(\d{1,4})\uf8f1/g;

/** Reads the imported files, and puts a marker in the place of each. */
async function importsOf(
  archive: Archive,
  main: string,
  parts: Record<string, Uint8Array>,
  depth: number,
): Promise<ReaderResult[]> {
  const source = decodeXml(parts[main] ?? new Uint8Array());
  const ids = [...source.matchAll(importedFile)].map(([, id = '']) => id);
  if (ids.length === 0) return [];
  const relationships = await relationshipsOf(archive, main);
  const results: ReaderResult[] = [];
  for (const [at, id] of ids.entries()) {
    const name = relationships.get(id)?.target ?? '';
    const bytes = at < importsMax && depth < importDepthMax ? await archive.read(name) : null;
    results.push(bytes ? await importedText(name, bytes, depth) : unreadImport);
  }
  let at = 0;
  const marked = source.replace(importedFile, () => `<w:p><w:r><w:t>${marker(at++)}</w:t></w:r></w:p>`);
  parts[main] = Buffer.from(marked.replace(/(<\?xml[^>]{0,100}?encoding=")[^"]*/, '$1UTF-8'));
  return results;
}

const unreadImport: ReaderResult = {
  text: '',
  format: 'markdown',
  isPartial: true,
  warnings: ['A file that the document imports is not shown.'],
};

async function importedText(name: string, bytes: Buffer, depth: number): Promise<ReaderResult> {
  const start = bytes.toString('latin1', 0, 200).replace(/^\s+/, '');
  const markdown = (text: string): ReaderResult => ({ text, format: 'markdown' });
  if (start.startsWith('PK\u0003\u0004')) {
    return await readDocx({ filename: name, contentType: '', bytes }, depth + 1);
  }
  if (start.startsWith('{\\rtf')) return markdown(escapeText(textOfRtf(bytes.toString('latin1')).text));
  if (/\.mht(?:ml)?$|\.eml$/i.test(name) || /^mime-version:/i.test(start)) {
    const { parseMime } = await import('../../message/parse-mime.ts');
    const { html, text } = await parseMime(bytes);
    return markdown(html === null ? escapeText(text ?? '') : markdownOfHtml(html));
  }
  if (/\.x?html?$/i.test(name) || /<(?:!doctype|html|body|p|div|head)\b/i.test(start)) {
    return markdown(markdownOfHtml(decodeFile(bytes)));
  }
  if (!/\.txt$/i.test(name)) return unreadImport;
  const { text, warnings } = decodeTextFile(bytes);
  return { text: escapeText(text), format: 'markdown', warnings };
}

/** Headers, footers, comments, charts and diagrams: equal paragraphs once, as documents repeat headers by section. */
async function sidesOf(archive: Archive): Promise<string[]> {
  const sections: string[] = [];
  for (const [title, part] of sideParts) {
    const found = new Set<string>();
    for (const name of archive.names.filter((one) => part.test(one))) {
      for (const paragraph of paragraphsOf(await archive.read(name))) found.add(paragraph);
    }
    sections.push(section(title, [...found]));
  }
  return sections;
}
