/** Text extraction from files: chooses the reader by file type and bounds its result. */

import { cutBytes } from '../message/field-limits.ts';
import { claimedType, type FileType, fileTypeOf } from './detect.ts';
import { type ExtractedText, withoutText } from './extracted-text.ts';
import { extractionLimits } from './limits.ts';
import { damagedWarning, type Reader, type ReaderResult, type SourceFile, Unreadable } from './reader.ts';
import { screenFile } from './screen-file.ts';

/** Loaded on demand: together they have three megabytes. */
const readers: Readonly<Record<FileType, () => Promise<Reader>>> = {
  pdf: async () => (await import('./readers/pdf.ts')).readPdf,
  docx: async () => (await import('./readers/docx.ts')).readDocx,
  xlsx: async () => (await import('./readers/xlsx.ts')).readXlsx,
  pptx: async () => (await import('./readers/pptx.ts')).readPptx,
  odt: async () => (await import('./readers/odt.ts')).readOdt,
  ods: async () => (await import('./readers/ods.ts')).readOds,
  odp: async () => (await import('./readers/odp.ts')).readOdp,
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
 * The text of a file, as Markdown if the type has headings, lists or tables. An unreadable file is `failed`, with a
 * warning that says why. `run-in-process.ts` bounds time and memory.
 *
 * @param onFault called with unexpected errors of a reader
 */
export async function extractText(
  file: SourceFile,
  onFault: (error: unknown) => void = () => undefined,
): Promise<ExtractedText> {
  const rejected = screenFile(file);
  const type = fileTypeOf(file);
  if (rejected || !type) return rejected ?? withoutText('unsupported');
  const read = await readers[type]();
  const notes = mislabelling(file, type);
  try {
    return presented(await read(file), notes);
  } catch (error) {
    if (error instanceof Unreadable) return withoutText('failed', ...notes, error.message);
    onFault(error);
    return withoutText('failed', ...notes, damagedWarning);
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
  const cut = cutBytes(text.trim(), extractionLimits.textBytes);
  const isCut = cut.length < text.trim().length;
  const allWarnings = [
    ...more,
    ...warnings,
    ...(isCut ? [`Only the first ${extractionLimits.textBytes} bytes of the text are kept.`] : []),
  ];
  if (cut === '' && allWarnings.length === more.length) allWarnings.push('There is no text in the file.');
  return {
    status: isPartial || isCut || cut === '' ? 'partial' : 'ready',
    format: cut === '' ? null : format,
    pages: pages ?? null,
    warnings: allWarnings,
    text: cut === '' ? null : cut,
  };
}
