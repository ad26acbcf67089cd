/** Owns the rendering of a conversation as one text, for forwarding (docs/concepts/sending.md). */

import { type Address, formatAddress } from '../addresses/addresses.ts';
import { escapeHtml } from '../html/escape-html.ts';

export interface TranscriptMessage {
  readonly from: Address;
  readonly to: readonly Address[];
  readonly subject: string;
  /** Unix milliseconds. */
  readonly at: number;
  /** Without quotes and signature. */
  readonly text: string | null;
  readonly html: string | null;
}

/** `Sat, 31 Jan 2026 12:00 UTC`: independent of the reader's time zone. */
function dateText(at: number): string {
  return `${new Date(at).toUTCString().slice(0, -7)} UTC`;
}

const rule = '-'.repeat(40);

/** The note, then every message, oldest first, as plain text. */
export function transcriptText(note: string | null, messages: readonly TranscriptMessage[]): string {
  const blocks = messages.map(({ from, to, subject, at, text }) =>
    [
      rule,
      `From: ${formatAddress(from)}`,
      `To: ${to.map(formatAddress).join(', ')}`,
      `Date: ${dateText(at)}`,
      `Subject: ${subject}`,
      '',
      text ?? '',
    ].join('\n'),
  );
  return [...(note ? [note] : []), ...blocks].join('\n\n');
}

/** The same as html. Received messages are rendered from their text: markup of strangers is not sent in the user's name. */
export function transcriptHtml(note: string | null, messages: readonly TranscriptMessage[]): string {
  const blocks = messages.map(({ from, to, subject, at, text }) => {
    const fields = [
      ['From', formatAddress(from)],
      ['To', to.map(formatAddress).join(', ')],
      ['Date', dateText(at)],
      ['Subject', subject],
    ].map(([name, value = '']) => `<b>${name}:</b> ${escapeHtml(value)}`);
    return `<hr>\n<p>${fields.join('<br>\n')}</p>\n${paragraphs(text ?? '')}`;
  });
  return ['<div>', ...(note ? [paragraphs(note)] : []), ...blocks, '</div>'].join('\n');
}

function paragraphs(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>\n')}</p>`)
    .join('\n');
}
