/** Files into text that people and models read: which reader takes a file, and what its answer comes to. */
import { type ExtractedText, withoutText } from '../core/text-extraction.ts';
import { claimedType, type FileType, fileTypeOf } from './detect.ts';
import { extractionLimits } from './limits.ts';
import { type Reader, type ReaderResult, type SourceFile, strangeWarning, Unreadable } from './reader.ts';
import { screenFile } from './screen-file.ts';

/** Loaded when a file of the type comes: together they are three megabytes. */
const readers: Readonly<Record<FileType, () => Promise<Reader>>> = {
  pdf: async () => (await import('./readers/pdf.ts')).readPdf,
  docx: async () => (await import('./readers/docx.ts')).readDocx,
  xlsx: async () => (await import('./readers/xlsx.ts')).readXlsx,
  pptx: async () => (await import('./readers/pptx.ts')).readPptx,
  odt: async () => (await import('./readers/odt.ts')).readOdt,
  ods: async () => (await import('./readers/ods.ts')).readOds,
  html: async () => (await import('./readers/html.ts')).readHtml,
  csv: async () => (await import('./readers/csv.ts')).readCsv,
  json: async () => (await import('./readers/plain.ts')).readJson,
  xml: async () => (await import('./readers/plain.ts')).readXml,
  rtf: async () => (await import('./readers/rtf.ts')).readRtf,
  eml: async () => (await import('./readers/eml.ts')).readEml,
  calendar: async () => (await import('./readers/calendar.ts')).readCalendar,
  text: async () => (await import('./readers/plain.ts')).readText,
};

/**
 * The text of a file: Markdown where the document has headings, lists or tables. What cannot be read is `failed`, with
 * a warning that says why. A hostile file may take long and much memory; `prepareApart` bounds both.
 *
 * @param onFault hears of errors that no reader foresaw: a damage we do not know, or a fault of ours
 */
export async function extractText(
  file: SourceFile,
  onFault: (error: unknown) => void = () => undefined,
): Promise<ExtractedText> {
  const judged = screenFile(file);
  const type = fileTypeOf(file);
  if (judged || !type) return judged ?? withoutText('unsupported');
  const read = await readers[type]();
  const notes = mislabelling(file, type);
  try {
    return presented(await read(file), notes);
  } catch (error) {
    if (error instanceof Unreadable) return withoutText('failed', ...notes, error.message);
    onFault(error);
    return withoutText('failed', ...notes, strangeWarning);
  }
}

function mislabelling(file: SourceFile, type: FileType): string[] {
  const claimed = claimedType(file);
  if (!claimed || claimed === type || claimed === 'text') return [];
  return [`The file claims to be ${claimed}, and is read as ${type} for what is in it.`];
}

function presented(
  { text, format, pages, warnings = [], isPartial = false }: ReaderResult,
  more: string[],
): ExtractedText {
  const cut = cutToBytes(text.trim(), extractionLimits.textBytes);
  const isCut = cut.length < text.trim().length;
  const told = [
    ...more,
    ...warnings,
    ...(isCut ? [`Only the first ${extractionLimits.textBytes} bytes of the text are kept.`] : []),
  ];
  if (cut === '' && told.length === more.length) told.push('There is no text in the file.');
  return {
    status: isPartial || isCut || cut === '' ? 'partial' : 'ready',
    format: cut === '' ? null : format,
    pages: pages ?? null,
    warnings: told,
    text: cut === '' ? null : cut,
  };
}

/** The text, or as much of its beginning as fits into so many bytes of UTF-8. */
export function cutToBytes(text: string, bytesMax: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= bytesMax) return text;
  // A character that is cut through decodes to a replacement character at the end.
  return new TextDecoder().decode(bytes.subarray(0, bytesMax)).replace(/\ufffd$/, '');
}
