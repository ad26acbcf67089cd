/** Rejects files that cannot be read, without loading a reader. */

import { fileTypeOf, isEncryptedOffice } from './detect.ts';
import { type ExtractedText, withoutText } from './extracted-text.ts';
import { extractionLimits } from './limits.ts';
import { passwordWarning, type SourceFile } from './reader.ts';

/** Why text is not extracted from a file; null if a reader should try. */
export function screenFile(file: SourceFile): ExtractedText | null {
  const { fileBytes } = extractionLimits;
  if (file.bytes.length === 0) return withoutText('failed', 'The file is empty.');
  if (fileTypeOf(file) === null) {
    return withoutText(
      'unsupported',
      'Text is not extracted from files of this type; download the original.',
    );
  }
  if (isEncryptedOffice(file.bytes)) return withoutText('failed', passwordWarning);
  if (file.bytes.length <= fileBytes) return null;
  return withoutText(
    'failed',
    `The file has ${file.bytes.length} bytes; text is extracted from files of up to ${fileBytes} bytes.`,
  );
}
