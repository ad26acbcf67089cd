/**
 * Answers with the quoted message as three mail programs write them. Forms seen in messages of Gmail (web), Outlook (web and new
 * Outlook for Windows) and Apple Mail (macOS 15); docs/local-cloud.md#the-local-inbox.
 */
import { escapeHtml } from '../../mail/index.ts';

export const quoteStyles = ['gmail', 'outlook', 'apple'] as const;
export type QuoteStyle = (typeof quoteStyles)[number];

interface Mailbox {
  /** Empty: none. */
  readonly name: string;
  readonly address: string;
}

/** The message that is answered. */
export interface QuotedMessage {
  readonly from: Mailbox;
  readonly to: readonly Mailbox[];
  readonly cc: readonly Mailbox[];
  /** Unix milliseconds. */
  readonly at: number;
  readonly subject: string;
  readonly text: string;
  /** null: it had none. */
  readonly html: string | null;
}

export interface WrittenBody {
  readonly text: string;
  readonly html: string;
}

/** The body of an answer. @param written what the person typed */
export function answerBody(style: QuoteStyle, written: string, quoted: QuotedMessage): WrittenBody {
  const text = written.replace(/\r\n?/g, '\n').trimEnd();
  return writers[style](text, quoted);
}

const writers = { gmail: gmailBody, outlook: outlookBody, apple: appleBody };

function gmailBody(written: string, quoted: QuotedMessage): WrittenBody {
  const { name, address } = quoted.from;
  const day = formatted(quoted.at, { weekday: 'short', month: 'short', day: 'numeric', year: 'numeric' });
  // Gmail separates the time and PM by a narrow no-break space.
  const head = `On ${day} at ${timeOf(quoted.at).replace(' ', '\u202f')}${name === '' ? '' : ` ${name}`}`;
  const mark = escapeHtml(address);
  return {
    text: `${written}\n\n${head} <${address}>\nwrote:\n\n${quotedLines(quoted.text)}\n`,
    html:
      `<div dir="ltr">${htmlLines(written)}</div><br><div class="gmail_quote gmail_quote_container">` +
      `<div dir="ltr" class="gmail_attr">${escapeHtml(head)} &lt;<a href="mailto:${mark}">${mark}</a>&gt; wrote:<br></div>` +
      '<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">' +
      `${quotedHtml(quoted)}</blockquote></div>\n`,
  };
}

function outlookBody(written: string, quoted: QuotedMessage): WrittenBody {
  const day = formatted(quoted.at, { weekday: 'long', month: 'long', day: 'numeric', year: 'numeric' });
  const rows = [
    ['From', named(quoted.from)],
    ['Sent', `${day} ${timeOf(quoted.at)}`],
    ['To', quoted.to.map(named).join('; ')],
    ['Cc', quoted.cc.map(named).join('; ')],
    ['Subject', quoted.subject],
  ].filter(([label, value]) => label !== 'Cc' || value !== '');
  const htmlRows = rows
    .map(([label = '', value = '']) => `<b>${label}:</b> ${escapeHtml(value)}`)
    .join('<br>');
  return {
    text: `${written}\n${'_'.repeat(32)}\n${rows.map((row) => row.join(': ')).join('\n')}\n\n${quoted.text}\n`,
    html:
      `<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8"></head><body dir="ltr">` +
      `<div class="elementToProof" style="font-family: Aptos, Calibri, Helvetica, sans-serif; font-size: 12pt;">${htmlLines(written)}</div>` +
      '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1">' +
      `<div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif" style="font-size:11pt" color="#000000">${htmlRows}</font>` +
      `<div>&nbsp;</div></div>${quotedHtml(quoted)}</body></html>\n`,
  };
}

function appleBody(written: string, quoted: QuotedMessage): WrittenBody {
  const day = formatted(quoted.at, { month: 'short', day: 'numeric', year: 'numeric' });
  const head = `On ${day}, at ${timeOf(quoted.at).replace(' ', '\u202f')}, ${named(quoted.from)} wrote:`;
  return {
    text: `${written}\n\n${quotedLines(`${head}\n\n${quoted.text}`)}\n`,
    html:
      '<html><head><meta http-equiv="content-type" content="text/html; charset=utf-8"></head>' +
      '<body style="overflow-wrap: break-word; -webkit-nbsp-mode: space; line-break: after-white-space;">' +
      `${htmlLines(written)}<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>${escapeHtml(head)}</div>` +
      `<br class="Apple-interchange-newline"><div>${quotedHtml(quoted)}</div></blockquote></div><br></body></html>\n`,
  };
}

const named = ({ name, address }: Mailbox) => (name === '' ? address : `${name} <${address}>`);

const timeOf = (at: number) => formatted(at, { hour: 'numeric', minute: '2-digit' }).replace('\u202f', ' ');

function formatted(at: number, form: Intl.DateTimeFormatOptions): string {
  return new Intl.DateTimeFormat('en-US', { ...form, timeZone: 'UTC' }).format(at);
}

/** Each line after `> `; a quote of a quote is `>> `. */
function quotedLines(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => (line === '' ? '>' : line.startsWith('>') ? `>${line}` : `> ${line}`))
    .join('\n');
}

function htmlLines(text: string): string {
  return escapeHtml(text).replaceAll('\n', '<br>');
}

function quotedHtml({ html, text }: QuotedMessage): string {
  return html === null ? htmlLines(text) : bodyContent(html);
}

/** What is between the tags of the body. */
function bodyContent(html: string): string {
  const open = html.search(/<body/i);
  const begin = open < 0 ? -1 : html.indexOf('>', open);
  const end = [...html.matchAll(/<\/body/gi)].at(-1)?.index ?? -1;
  return html.slice(begin + 1, end > begin ? end : undefined);
}
