/** PDF documents as Markdown, page by page. */
import { getDocumentProxy } from 'unpdf';
import { extractionLimits } from '../limits.ts';
import { markdownOfPages, type PageRows, readPage } from '../pdf/blocks.ts';
import { passwordWarning, type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function readPdf({ bytes }: SourceFile): Promise<ReaderResult> {
  const document = await open(bytes);
  const pages = document.numPages;
  const shown = Math.min(pages, extractionLimits.pages);
  const read: PageRows[] = [];
  const damaged: number[] = [];
  let size = 0;
  for (let number = 1; number <= shown && size < extractionLimits.textBytes; number++) {
    try {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      const rows = readPage(items.filter((item) => 'str' in item));
      read.push(rows);
      size += rows.size;
      page.cleanup();
    } catch {
      // Other pages may be readable.
      read.push({ rows: [], size: 0 });
      damaged.push(number);
    }
  }
  await document.destroy();
  const texts = markdownOfPages(read);
  return {
    ...completenessOf(texts, damaged, pages),
    text: texts.filter(Boolean).join('\n\n'),
    format: 'markdown',
    pages,
  };
}

/** Whether text is missing, and warnings that say so. */
function completenessOf(texts: readonly string[], damaged: readonly number[], pages: number) {
  const empty = texts.flatMap((text, at) => (text === '' && !damaged.includes(at + 1) ? [at + 1] : []));
  if (damaged.length === pages) throw new Unreadable('The file is damaged: none of its pages can be read.');
  const isTextless = empty.length + damaged.length === texts.length;
  const warnings = [
    ...(damaged.length > 0 ? [`${pagesNamed(damaged)} could not be read.`] : []),
    ...(isTextless ? ['The pages hold no text, only pictures: this is probably a scan.'] : []),
    ...(!isTextless && empty.length > 0 ? [`${pagesNamed(empty)} without text: blank, or scanned.`] : []),
    ...(texts.length < pages ? [`Only the first ${texts.length} of ${pages} pages are shown.`] : []),
  ];
  return { isPartial: isTextless || damaged.length > 0 || texts.length < pages, warnings };
}

/** `Page 3`, or `Pages 1, 2, 5 and 14 more`. */
function pagesNamed(numbers: readonly number[]): string {
  const named = numbers.slice(0, 10).join(', ');
  const more = numbers.length > 10 ? ` and ${numbers.length - 10} more` : '';
  return `${numbers.length === 1 ? 'Page' : 'Pages'} ${named}${more}`;
}

async function open(bytes: Uint8Array): Promise<Document> {
  try {
    // A copy: the library transfers the buffer.
    return await getDocumentProxy(new Uint8Array(bytes), {
      isEvalSupported: false,
      useSystemFonts: false,
      verbosity: 0,
    });
  } catch (cause) {
    const name = cause instanceof Error ? cause.name : '';
    if (name === 'PasswordException') throw new Unreadable(passwordWarning, cause);
    throw new Unreadable('The file is damaged or incomplete.', cause);
  }
}
