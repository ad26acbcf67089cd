/** Results of text extraction (docs/concepts/attachments.md). */

export const extractionStatuses = ['ready', 'partial', 'unsupported', 'failed'] as const;
export type ExtractionStatus = (typeof extractionStatuses)[number];

export const textFormats = ['markdown', 'text'] as const;
export type TextFormat = (typeof textFormats)[number];

/** The result of text extraction, without the text. */
export interface TextExtraction {
  readonly status: ExtractionStatus;
  /** null if and only if there is no text. */
  readonly format: TextFormat | null;
  /** Pages of a document or slides of a presentation; null if the type has none. */
  readonly pages: number | null;
  /** Sentences that say what is missing from the text, and why. */
  readonly warnings: readonly string[];
}

/** The result of text extraction, with the text. */
export interface ExtractedText extends TextExtraction {
  readonly text: string | null;
}

/** A result without text. */
export function withoutText(status: ExtractionStatus, ...warnings: string[]): ExtractedText {
  return { status, format: null, pages: null, warnings, text: null };
}
