/** Rich text as plain text. */

import { bufferOf } from '../../text/octets.ts';
import { textOfRtf } from '../../text/rtf.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';

export function readRtf({ bytes }: SourceFile): ReaderResult {
  const { text, isWhole } = textOfRtf(bufferOf(bytes).toString('latin1'));
  return {
    text,
    format: 'text',
    isPartial: !isWhole,
    warnings: isWhole ? [] : ['The file is truncated; its end is missing.'],
  };
}
