/** PDF documents as plain text, page by page. */
import { getDocumentProxy } from 'unpdf';
import { extractionLimits } from '../limits.ts';
import { passwordWarning, type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';

type Document = Awaited<ReturnType<typeof getDocumentProxy>>;
type Page = Awaited<ReturnType<Document['getPage']>>;
type Items = Awaited<ReturnType<Page['getTextContent']>>['items'];

/** A line distance of more than this many line heights begins a paragraph. */
const paragraphGap = 1.7;

export async function readPdf({ bytes }: SourceFile): Promise<ReaderResult> {
  const document = await open(bytes);
  const pages = document.numPages;
  const shown = Math.min(pages, extractionLimits.pages);
  const texts: string[] = [];
  const damaged: number[] = [];
  let size = 0;
  for (let number = 1; number <= shown && size < extractionLimits.textBytes; number++) {
    try {
      const page = await document.getPage(number);
      const text = textOf((await page.getTextContent()).items);
      texts.push(text);
      size += text.length;
      page.cleanup();
    } catch {
      // Other pages may be readable.
      texts.push('');
      damaged.push(number);
    }
  }
  await document.destroy();
  return {
    ...completenessOf(texts, damaged, pages),
    text: texts.filter(Boolean).join('\n\n'),
    format: 'text',
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

/** The text of a page in content order, with its lines and paragraphs. */
function textOf(items: Items): string {
  let text = '';
  let [lastY, lineHeight] = [0, 0];
  for (const item of items) {
    if (!('str' in item)) continue;
    const y = Number(item.transform[5]);
    const isFarther = Math.abs(lastY - y) > paragraphGap * lineHeight;
    if (isFarther && item.str !== '' && text.endsWith('\n')) text += '\n';
    text += item.str + (item.hasEOL ? '\n' : '');
    if (item.str.trim() !== '') [lastY, lineHeight] = [y, item.height || lineHeight];
  }
  return text
    .replaceAll('\0', '')
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
