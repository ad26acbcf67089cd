/** The interface of file readers: input, result and failure. */

import type { CharsetHint } from './charsets/guess.ts';
import type { TextFormat } from './extracted-text.ts';

export interface SourceFile {
  readonly filename: string;
  /** As the message declares it, without parameters. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
  /** What the message says of its texts, for files that declare no charset. */
  readonly hint?: CharsetHint;
}

/** The result of a reader. */
export interface ReaderResult {
  readonly text: string;
  readonly format: TextFormat;
  readonly pages?: number;
  readonly warnings?: readonly string[];
  /** Whether part of the text is missing; the warnings say what. */
  readonly isPartial?: boolean;
}

export type Reader = (file: SourceFile) => ReaderResult | Promise<ReaderResult>;

/** Warning for a password-protected file of any type. */
export const passwordWarning = 'The file is protected by a password and cannot be read without it.';
/** Warning for a file that makes its reader fail. */
export const damagedWarning = 'The file is damaged, or written in a way we cannot read.';

/** A file that cannot be read. The message becomes the warning. */
export class Unreadable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unreadable';
  }
}
