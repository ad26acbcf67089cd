/** Owns the html that mail clients write around an answer and a quote. */
import { escapeHtml } from '../../../../lib/mail/html/escape-html.ts';

export interface HtmlParts {
  /** Lines of the answer with its signature; an empty line separates paragraphs. */
  readonly answer: string;
  /** The attribution line, or the first lines of a header block. */
  readonly attribution: string;
  readonly header: string;
  readonly quote: string;
}

export interface HtmlClient {
  readonly client: string;
  readonly compose: (parts: HtmlParts) => string;
}

function lines(text: string): string[] {
  return text.split('\n').map(escapeHtml);
}

/** A `div` for each line, as Gmail, Apple Mail and Outlook on the web write. */
function divs(text: string): string {
  return lines(text)
    .map((line) => `<div>${line === '' ? '<br>' : line}</div>`)
    .join('');
}

/** A `p` for each paragraph. */
function paragraphs(text: string): string {
  return text
    .split('\n\n')
    .map((paragraph) => `<p>${breaks(paragraph)}</p>`)
    .join('');
}

function wordParagraphs(text: string): string {
  return lines(text)
    .map((line) => `<p class=MsoNormal>${line === '' ? '<o:p>&nbsp;</o:p>' : `${line}<o:p></o:p>`}</p>\r\n`)
    .join('');
}

function breaks(text: string): string {
  return lines(text).join('<br>');
}

/** Labels in bold, as Outlook writes them. */
function labels(header: string): string {
  return lines(header)
    .map((line) => line.replace(/^([^:：]{1,30}[:：])/u, '<b>$1</b>'))
    .join('<br>');
}

export const htmlClients: readonly HtmlClient[] = [
  {
    client: 'Gmail',
    compose: ({ answer, attribution, quote }) =>
      `<div dir="ltr">${divs(answer)}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">${escapeHtml(attribution)}<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div dir="ltr">${divs(quote)}</div></blockquote></div>\r\n`,
  },
  {
    client: 'Outlook desktop',
    compose: ({ answer, header, quote }) =>
      `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style></head><body lang=EN-US><div class=WordSection1>${wordParagraphs(answer)}<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal>${labels(header)}<o:p></o:p></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p>${wordParagraphs(quote)}</div></body></html>`,
  },
  {
    client: 'Outlook web',
    compose: ({ answer, header, quote }) =>
      `<div class="elementToProof" style="font-family:Aptos">${divs(answer)}</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri, sans-serif">${labels(header)}</font><div>&nbsp;</div></div><div>${divs(quote)}</div>`,
  },
  {
    client: 'Outlook mobile',
    compose: ({ answer, header, quote }) =>
      `<div dir="ltr">${divs(answer)}</div><div id="ms-outlook-mobile-body-separator-line" dir="ltr"><br></div><hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg"><span>${labels(header)}</span></div><div dir="ltr">${divs(quote)}</div>`,
  },
  {
    client: 'Apple Mail',
    compose: ({ answer, attribution, quote }) =>
      `<html><head></head><body style="overflow-wrap: break-word;">${divs(answer)}<br id="lineBreakAtBeginningOfMessage"><div><br><blockquote type="cite"><div>${escapeHtml(attribution)}</div><br class="Apple-interchange-newline"><div>${divs(quote)}</div></blockquote></div><br></body></html>`,
  },
  {
    client: 'iOS',
    compose: ({ answer, attribution, quote }) =>
      `<html><head></head><body dir="auto">${divs(answer)}<div dir="ltr"><br><blockquote type="cite">${escapeHtml(attribution)}<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">\ufeff${divs(quote)}</div></blockquote></body></html>`,
  },
  {
    client: 'Yahoo web',
    compose: ({ answer, attribution, quote }) =>
      `<html><head></head><body><div class="ydp1-yahoo-style-wrap" style="font-size:13px;">${divs(answer)}<div><br></div></div><div id="yahoo_quoted_1" class="yahoo_quoted"><div style="font-size:13px;"><div>${escapeHtml(attribution)}</div><div><br></div><div><br></div>${divs(quote)}</div></div></body></html>`,
  },
  {
    client: 'Yahoo app',
    compose: ({ answer, attribution, quote }) =>
      `${divs(answer)}<br> <blockquote style="margin: 0 0 20px 0;"> <div style="font-family:Roboto, sans-serif; color:#6D00F6;"> <div>${escapeHtml(attribution)}</div> </div> <div style="padding: 10px 0 0 20px; margin: 10px 0 0 0; border-left: 1px solid #6D00F6;"> ${divs(quote)} </div> </blockquote>`,
  },
  {
    client: 'Samsung',
    compose: ({ answer, header, quote }) =>
      `<html><head></head><body dir="auto">${divs(answer)}<div dir="auto"><br></div><div align="left" dir="auto" style="font-size:100%;color:#000000"><div>-------- Original message --------</div>${divs(header)}<div><br></div></div>${divs(quote)}</body></html>`,
  },
  {
    client: 'Thunderbird',
    compose: ({ answer, attribution, quote }) =>
      `<html><head></head><body>${paragraphs(answer)}<div class="moz-cite-prefix">${escapeHtml(attribution)}<br></div><blockquote type="cite" cite="mid:1@a.example">${paragraphs(quote)}</blockquote></body></html>`,
  },
  {
    client: 'ProtonMail',
    compose: ({ answer, attribution, quote }) =>
      `<div style="font-family: Arial, sans-serif; font-size: 14px;">${divs(answer)}</div><div class="protonmail_quote">${escapeHtml(attribution)}<br><br><blockquote class="protonmail_quote" type="cite">${divs(quote)}</blockquote><br></div>`,
  },
  {
    client: 'GMX',
    compose: ({ answer, header, quote }) =>
      `<html><head></head><body><div style="font-family: Verdana;font-size: 12.0px;">${divs(answer)}<div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; padding: 10px 0 10px 10px; border-left:2px solid #C3D9E5; word-wrap: break-word;"><div style="margin:0 0 10px 0;">${labels(header)}</div><div name="quoted-content">${divs(quote)}</div></div></div></div></body></html>`,
  },
  {
    client: 'Zoho',
    compose: ({ answer, attribution, quote }) =>
      `<div style="font-family: Verdana; font-size: 10pt;">${divs(answer)}<br></div><div class="zmail_extra_hr" style="border-top: 1px solid rgb(204, 204, 204); height: 0px;"><br></div><div class="zmail_extra" data-zbluepencil-ignore="true"><br><div id="Zm-_Id_-Sgn1">${escapeHtml(attribution)}</div><br><blockquote id="blockquote_zmail" style="margin: 0px;">${divs(quote)}</blockquote></div>`,
  },
  {
    client: 'HEY',
    compose: ({ answer, attribution, quote }) =>
      `<html><head></head><body><div class="trix-content">${divs(answer)}</div><br><br><div>${escapeHtml(attribution)}<br></div><blockquote>${divs(quote)}</blockquote></body></html>`,
  },
  {
    client: 'Spark',
    compose: ({ answer, attribution, quote }) =>
      `<html><head></head><body><div name="messageBodySection">${divs(answer)}</div><div name="messageReplySection">${escapeHtml(attribution)}<br><blockquote type="cite" style="border-left-color: rgb(26, 188, 156); margin: 5px; padding-left: 10px; border-left-width: thin; border-left-style: solid;">${divs(quote)}</blockquote></div></body></html>`,
  },
  {
    client: 'K-9',
    compose: ({ answer, attribution, quote }) =>
      `<!DOCTYPE html><html><body><div dir="auto">${breaks(answer)}</div><br><br><div class="gmail_quote"><div dir="auto">${escapeHtml(attribution)}</div><blockquote class="gmail_quote" style="margin: 0pt 0pt 0pt 0.8ex; border-left: 1px solid rgb(204, 204, 204); padding-left: 1ex;">${divs(quote)}</blockquote></div></body></html>`,
  },
  {
    client: 'Zendesk',
    compose: ({ answer, attribution, quote }) =>
      `<div>${paragraphs(answer)}</div><p>${escapeHtml(attribution)}</p><blockquote style="border-left:2px solid #ccc;margin:0 0 0 5px;padding:0 0 0 10px">${paragraphs(quote)}</blockquote>`,
  },
  {
    client: 'Freshdesk',
    compose: ({ answer, attribution, quote }) =>
      `<div style="font-size:13px;">${divs(answer)}</div><div class="freshdesk_quote"><blockquote class="freshdesk_quote">${escapeHtml(attribution)}<br>${divs(quote)}</blockquote></div>`,
  },
  {
    client: 'Exchange',
    compose: ({ answer, header, quote }) =>
      `<html><head><!-- Converted from text/plain format --></head><body><p><font size="2">${breaks(answer)}<br><br>________________________________<br>${breaks(header)}<br><br>${breaks(quote)}</font></p></body></html>`,
  },
];
