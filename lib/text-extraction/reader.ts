/** What the readers of file types have in common: what they are given, what they make, and how they give up. */
import type { TextFormat } from '../core/text-extraction.ts';

export interface SourceFile {
  readonly filename: string;
  /** As the message declares it, without parameters. */
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

/** What a reader made of a file. */
export interface ReaderResult {
  readonly text: string;
  readonly format: TextFormat;
  readonly pages?: number;
  readonly warnings?: readonly string[];
  /** Whether something that belongs to the text is missing from it; the warnings say what. */
  readonly isPartial?: boolean;
}

export type Reader = (file: SourceFile) => ReaderResult | Promise<ReaderResult>;

/** What is told of a file under a password, whatever its type. */
export const passwordWarning = 'The file is protected by a password and cannot be read without it.';
/** Likewise of one that brings its reader down. */
export const strangeWarning = 'The file is damaged, or written in a way we cannot read.';

/** A file that cannot be read. The message is a sentence for the person who gets the warning. */
export class Unreadable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'Unreadable';
  }
}

/** The same bytes as a Buffer, without a copy. */
export function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
