/** Messages (RFC 5322) as Markdown: header fields, body, names of attachments. */
import type { Address } from '../../addresses/addresses.ts';
import { parseMime } from '../../message/parse-mime.ts';
import { extractionLimits } from '../limits.ts';
import { cutWarning, escapeTags, escapeText, markdownOfHtml } from '../markdown.ts';
import { type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';

export async function readEml({ bytes }: SourceFile): Promise<ReaderResult> {
  // The extracted text has a limit of its own.
  const whole = { plain: extractionLimits.fileBytes * 2, html: extractionLimits.fileBytes * 2 };
  const message = await parseMime(bytes, whole);
  if (message.headers.length === 0) throw new Unreadable('The file is not a message: it has no header.');
  const fields = [
    ['From', message.from ? list([message.from]) : ''],
    ['To', list(message.to)],
    ['Cc', list(message.cc)],
    ['Date', message.date === null ? '' : new Date(message.date).toISOString()],
  ] as const;
  const files = message.attachments.filter(({ relatedToHtml }) => !relatedToHtml);
  const names = files.map(({ filename, contentType }) => `- ${escapeTags(filename ?? contentType)}`);
  const cut: string[] = [];
  const body =
    message.html === null
      ? escapeText(message.text ?? '')
      : markdownOfHtml(message.html, () => cut.push(cutWarning));
  const blocks = [
    `# ${escapeTags(message.subject) || '(no subject)'}`,
    fields.flatMap(([name, value]) => (value ? [`${name}: ${escapeTags(value)}`] : [])).join('  \n'),
    body,
    names.length > 0 ? `Attachments:\n\n${names.join('\n')}` : '',
  ];
  return {
    text: blocks.filter(Boolean).join('\n\n'),
    format: 'markdown',
    warnings: [
      ...cut,
      ...(names.length > 0 ? ['Only the names of the files attached to this message are listed.'] : []),
    ],
    isPartial: cut.length > 0,
  };
}

function list(addresses: readonly Address[]): string {
  return addresses.map(({ name, address }) => (name ? `${name} <${address}>` : address)).join(', ');
}
