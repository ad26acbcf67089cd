/** PDF documents as Markdown, page by page. */
import { getDocumentProxy, getResolvedPDFJS } from 'unpdf';
import { extractionLimits } from '../limits.ts';
import { markdownOfPages, type PageRows, readPage } from '../pdf/blocks.ts';
import { CharacterMaps } from '../pdf/cmaps.ts';
import { findingsWarnings, type PageFindings } from '../pdf/findings.ts';
import { drawnAnnotations, piecesWithFields } from '../pdf/forms.ts';
import { readOperators } from '../pdf/operators.ts';
import type { Document } from '../pdf/page.ts';
import { passwordWarning, type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';

export async function readPdf({ bytes }: SourceFile): Promise<ReaderResult> {
  const document = await open(bytes);
  const { OPS } = await getResolvedPDFJS();
  const pages = document.numPages;
  const shown = Math.min(pages, extractionLimits.pages);
  const read: PageRows[] = [];
  const findings: PageFindings[] = [];
  let size = 0;
  for (let number = 1; number <= shown && size < extractionLimits.textBytes; number++) {
    try {
      const page = await document.getPage(number);
      const content = await readOperators(page, OPS, await drawnAnnotations(page));
      const rows = readPage(await piecesWithFields(page, content.pieces));
      read.push(rows);
      findings.push(content);
      size += rows.size;
      page.cleanup();
    } catch {
      // Other pages may be readable.
      read.push({ rows: [], size: 0 });
      findings.push('damaged');
    }
  }
  const hasUnreadForm = await isOnlyXfa(document);
  await document.loadingTask.destroy();
  if (findings.every((page) => page === 'damaged')) {
    throw new Unreadable('The file is damaged: none of its pages can be read.');
  }
  const texts = markdownOfPages(read);
  return {
    ...findingsWarnings(findings, texts, { pages, hasUnreadForm }),
    text: texts.filter(Boolean).join('\n\n'),
    format: 'markdown',
    pages,
  };
}

/** Whether the file is a form of Adobe LiveCycle, whose pages only ask for another program. */
async function isOnlyXfa(document: Document): Promise<boolean> {
  try {
    const { info } = await document.getMetadata();
    return (
      'IsXFAPresent' in info &&
      info.IsXFAPresent === true &&
      !('IsAcroFormPresent' in info && info.IsAcroFormPresent)
    );
  } catch {
    return false;
  }
}

async function open(bytes: Uint8Array): Promise<Document> {
  try {
    // A copy: the library transfers the buffer.
    return await getDocumentProxy(new Uint8Array(bytes), {
      BinaryDataFactory: CharacterMaps,
      cMapPacked: true,
      disableFontFace: true,
      // Says which characters have Unicode.
      fontExtraProperties: true,
      // Pictures are not decoded.
      maxImageSize: 1,
      useSystemFonts: false,
      verbosity: 0,
    });
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    if (name === 'PasswordException') throw new Unreadable(passwordWarning, cause);
    throw new Unreadable('The file is damaged or incomplete.', cause);
  }
}
