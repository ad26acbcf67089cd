/** Html pages as Markdown. */
import { decodeFile } from '../decode.ts';
import { cutWarning, markdownOfHtml } from '../markdown.ts';
import { bufferOf, type ReaderResult, type SourceFile } from '../reader.ts';

/** A page declares its charset in these first bytes (HTML, 13.2.3.2). */
const prescanBytes = 1024;

export function readHtml({ bytes }: SourceFile): ReaderResult {
  const warnings = new Set<string>();
  const html = decodeFile(bytes, declaredCharset(bytes));
  const text = markdownOfHtml(html, () => warnings.add(cutWarning));
  return { text, format: 'markdown', warnings: [...warnings], isPartial: warnings.size > 0 };
}

function declaredCharset(bytes: Uint8Array): string | null {
  const start = bufferOf(bytes).subarray(0, prescanBytes).toString('latin1');
  const [, label = null] =
    /<(?:meta|\?xml)\b[^>]*\b(?:charset|encoding)\s*=\s*["']?\s*([\w.:-]+)/i.exec(start) ?? [];
  return label;
}
