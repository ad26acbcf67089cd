/** What preparing a file into text comes to (contract, section 4, "Attachment" and "Prepared"). */

export const extractionStatuses = ['ready', 'partial', 'unsupported', 'failed'] as const;
export type ExtractionStatus = (typeof extractionStatuses)[number];

export const textFormats = ['markdown', 'text'] as const;
export type TextFormat = (typeof textFormats)[number];

/** What is told of a file that was prepared, or could not be. */
export interface TextExtraction {
  readonly status: ExtractionStatus;
  /** null exactly where there is no text: nothing to read, or not in a way we can. */
  readonly format: TextFormat | null;
  /** Pages of a document or slides of a presentation; null where the file has none. */
  readonly pages: number | null;
  /** Sentences for a person: what is missing from the text, and why. */
  readonly warnings: readonly string[];
}

/** A preparation with the text it made. */
export interface ExtractedText extends TextExtraction {
  readonly text: string | null;
}

/** A preparation that has no text. */
export function withoutText(status: ExtractionStatus, ...warnings: string[]): ExtractedText {
  return { status, format: null, pages: null, warnings, text: null };
}
