/** What can be said of a file without reading it. Small, since every received file passes through. */
import { type ExtractedText, withoutText } from '../core/text-extraction.ts';
import { fileTypeOf, isEncryptedOffice } from './detect.ts';
import { extractionLimits } from './limits.ts';
import { passwordWarning, type SourceFile } from './reader.ts';

/** Why a file is not read; null where it is worth reading. */
export function screenFile(file: SourceFile): ExtractedText | null {
  const { fileBytes } = extractionLimits;
  if (file.bytes.length === 0) return withoutText('failed', 'The file is empty.');
  if (fileTypeOf(file) === null) {
    return withoutText('unsupported', 'Files of this type are not prepared; download the original.');
  }
  if (isEncryptedOffice(file.bytes)) return withoutText('failed', passwordWarning);
  if (file.bytes.length <= fileBytes) return null;
  return withoutText('failed', `The file has ${file.bytes.length} bytes; up to ${fileBytes} are prepared.`);
}
