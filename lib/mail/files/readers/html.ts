/** Html pages as Markdown. */

import { bufferOf } from '../../text/octets.ts';
import { decodeMarkup } from '../decode.ts';
import { cutWarning, markdownOfHtml } from '../markdown.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';

/** A page declares its charset in these first bytes (HTML, 13.2.3.2). */
const prescanBytes = 1024;

export function readHtml({ bytes, hint }: SourceFile): ReaderResult {
  const cut: string[] = [];
  const html = decodeMarkup(bytes, declaredCharset(bytes), hint);
  const text = markdownOfHtml(html.text, () => cut.push(cutWarning));
  return { text, format: 'markdown', warnings: [...html.warnings, ...cut], isPartial: cut.length > 0 };
}

function declaredCharset(bytes: Uint8Array): string | null {
  const start = bufferOf(bytes).subarray(0, prescanBytes).toString('latin1');
  const [, label = null] =
    /<(?:meta|\?xml)\b[^>]*\b(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(start) ?? [];
  return label;
}
