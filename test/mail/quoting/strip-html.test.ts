import { describe, expect, it } from 'vitest';
import { stripHtml } from '../../../lib/mail/quoting/strip.ts';

/** Client, html before the quote, the quote, html after it. */
const replies: readonly (readonly [string, string, string, string])[] = [
  [
    'Gmail',
    '<div dir="ltr">Tuesday is <b>fine</b>.</div>',
    '<br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">On Tue, Mar 12, 2024 at 10:04 AM Ann Lee &lt;<a href="mailto:ann@a.example">ann@a.example</a>&gt; wrote:<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div dir="ltr">Shall we meet?</div></blockquote></div>',
    '\n',
  ],
  [
    'Gmail in an unknown language',
    '<div dir="ltr">Tuesday is <b>fine</b>.</div>',
    '<br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">Xyzzy 12 foo Ann Lee plugh<br></div><blockquote class="gmail_quote"><div dir="ltr">Shall we meet?</div></blockquote></div>',
    '',
  ],
  [
    'Gmail, older',
    'Tuesday is <b>fine</b>.',
    '<br><br><div class="gmail_quote">On Tue, Mar 12, 2024 at 10:04 AM, Ann Lee <span dir="ltr">&lt;<a href="mailto:ann@a.example">ann@a.example</a>&gt;</span> wrote:<br><blockquote class="gmail_quote" style="margin:0 0 0 .8ex;border-left:1px #ccc solid;padding-left:1ex">Shall we meet?</blockquote></div>',
    '<br>',
  ],
  [
    'Outlook for Windows',
    '<div class=WordSection1><p class=MsoNormal>Tuesday is <b>fine</b>.<o:p></o:p></p>',
    "<p class=MsoNormal><o:p>&nbsp;</o:p></p><div><div style='border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm'><p class=MsoNormal><b><span lang=EN-US>From:</span></b><span lang=EN-US> Ann Lee &lt;ann@a.example&gt; <br><b>Sent:</b> Tuesday, March 12, 2024 10:04 AM<br><b>To:</b> Bob Ray<br><b>Subject:</b> Meeting<o:p></o:p></span></p></div></div><p class=MsoNormal><o:p>&nbsp;</o:p></p><p class=MsoNormal>Shall we meet?<o:p></o:p></p>",
    '</div>',
  ],
  [
    'Outlook for Windows, German',
    '<div class=WordSection1><p class=MsoNormal>Tuesday is <b>fine</b>.<o:p></o:p></p>',
    "<div><div style='border:none;border-top:solid #E1E1E1 1.0pt'><p class=MsoNormal><b>Von:</b> Ann Lee &lt;ann@a.example&gt; <br><b>Gesendet:</b> Dienstag, 12. März 2024 10:04<br><b>An:</b> Bob Ray<br><b>Betreff:</b> Treffen<o:p></o:p></p></div></div><p class=MsoNormal>Shall we meet?<o:p></o:p></p>",
    '</div>',
  ],
  [
    'Outlook on the web',
    '<div class="elementToProof">Tuesday is <b>fine</b>.</div>',
    '<div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>From:</b> Ann Lee &lt;ann@a.example&gt;<br><b>Sent:</b> Tuesday, March 12, 2024 10:04 AM<br><b>To:</b> Bob Ray<br><b>Subject:</b> Meeting</font><div>&nbsp;</div></div><div>Shall we meet?</div>',
    '',
  ],
  [
    'Outlook on the web in an unknown language',
    '<div class="elementToProof">Tuesday is <b>fine</b>.</div>',
    '<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr"><b>Xyzzy:</b> Ann Lee<br><b>Plugh:</b> 12</div><div>Shall we meet?</div>',
    '',
  ],
  [
    'Outlook for iOS',
    '<div dir="ltr">Tuesday is <b>fine</b>.</div>',
    '<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg"><b>From:</b> Ann Lee<br><b>Sent:</b> Tuesday</div><div>Shall we meet?</div>',
    '',
  ],
  [
    'Outlook, new',
    '<div class="elementToProof">Tuesday is <b>fine</b>.</div>',
    '<div id="mail-editor-reference-message-container"><div><div style="text-align:left;padding:3pt 0in 0in;border-width:1pt medium medium;border-style:solid none none"><b>From: </b>Ann Lee<br><b>Date: </b>Tuesday</div></div><div>Shall we meet?</div></div>',
    '',
  ],
  [
    'Apple Mail',
    '<div>Tuesday is <b>fine</b>.</div>',
    '<div><br><blockquote type="cite"><div>On Mar 12, 2024, at 10:04 AM, Ann Lee &lt;ann@a.example&gt; wrote:</div><br class="Apple-interchange-newline"><div>Shall we meet?</div></blockquote></div>',
    '',
  ],
  [
    'iPhone',
    '<div dir="ltr">Tuesday is <b>fine</b>.</div>',
    '<div dir="ltr"><br><blockquote type="cite">On Mar 12, 2024, at 10:04 AM, Ann Lee &lt;ann@a.example&gt; wrote:<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">﻿Shall we meet?</div></blockquote>',
    '',
  ],
  [
    'Thunderbird',
    '<p>Tuesday is <b>fine</b>.</p>\n',
    '<div class="moz-cite-prefix">On 12.03.2024 10:04, Ann Lee wrote:<br></div><blockquote type="cite" cite="mid:1@a.example"><p>Shall we meet?</p></blockquote>',
    '\n',
  ],
  [
    'Yahoo',
    '<div class="ydp1yahoo-style-wrap"><div>Tuesday is <b>fine</b>.</div></div>',
    '<div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div>On Tuesday, March 12, 2024, Ann Lee wrote:</div><div>Shall we meet?</div></div>',
    '',
  ],
  [
    'Proton Mail',
    '<div style="font-family:Arial">Tuesday is <b>fine</b>.</div>',
    '<div class="protonmail_quote">On Tuesday, March 12th, 2024 at 10:04, Ann Lee &lt;ann@a.example&gt; wrote:<br><br><blockquote class="protonmail_quote" type="cite"><div>Shall we meet?</div></blockquote><br></div>',
    '',
  ],
  [
    'Zimbra',
    '<div>Tuesday is <b>fine</b>.</div>',
    '<hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><b>Von: </b>"Ann" &lt;ann@a.example&gt;</div><div data-marker="__QUOTED_TEXT__">Shall we meet?</div>',
    '',
  ],
  [
    'Yandex',
    '<div>Tuesday is <b>fine</b>.</div>',
    '<div>12.03.2024, 10:04, "Ann Lee" &lt;ann@a.example&gt;:</div><blockquote><p>Shall we meet?</p></blockquote>',
    '',
  ],
  [
    'Hotmail',
    '<div>Tuesday is <b>fine</b>.</div>',
    '<hr id="stopSpelling">Date: Tue, 12 Mar 2024 10:04:05 +0100<br>Subject: Meeting<br>From: ann@a.example<br>To: bob@b.example<br><br><div>Shall we meet?</div>',
    '',
  ],
  ['plain text made into html', '<div>Tuesday is <b>fine</b>.</div>', '&gt; Shall we meet?<br>&gt; Ann', ''],
];

function withoutTags(html: string): string {
  return html
    .replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

describe('stripHtml', () => {
  it.each(replies)(
    'returns only the answer when it is above the quote of a client: %s',
    (_client, before, quote, after) => {
      const { segments, strippedHtml, strippedText } = stripHtml(before + quote + after);
      expect(strippedText).toBe('Tuesday is fine.');
      expect(segments.map(({ kind }) => kind)).toEqual(['written', 'quoted']);
      expect(segments[1]?.text).toContain('Shall we meet?');
      expect(strippedHtml).toContain(before.trim());
      expect(withoutTags(strippedHtml)).toBe('Tuesday is fine.');
    },
  );

  it.each(replies)('returns the whole html when nothing is written: %s', (_client, _before, quote) => {
    const { strippedHtml, strippedText } = stripHtml(quote);
    expect(strippedHtml).toBe(quote);
    expect(strippedText).toContain('Shall we meet?');
  });

  it.each([
    [
      'Gmail',
      '<div dir="ltr"></div><div class="gmail_quote"><div class="gmail_attr">On Tue, Mar 12, 2024 at 10:04 AM Ann &lt;a@a.example&gt; wrote:<br></div><blockquote class="gmail_quote">When?</blockquote><div>On Tuesday.</div><blockquote class="gmail_quote">And where?</blockquote><div>At the house.</div></div>',
    ],
    [
      'Apple Mail',
      '<body><blockquote type="cite"><div>On 12 Mar 2024, at 10:04, Ann &lt;a@a.example&gt; wrote:</div><div>When?</div></blockquote><div>On Tuesday.</div><blockquote type="cite"><div>And where?</div></blockquote><div>At the house.</div></body>',
    ],
    [
      'Thunderbird',
      '<div class="moz-cite-prefix">On 12.03.2024 10:04, Ann wrote:<br></div><blockquote type="cite"><p>When?</p></blockquote><p>On Tuesday.</p><blockquote type="cite"><p>And where?</p></blockquote><p>At the house.</p>',
    ],
    [
      'Proton Mail',
      '<div class="protonmail_quote">On Tuesday, March 12th, 2024 at 10:04, Ann &lt;a@a.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">When?</blockquote><div>On Tuesday.</div><blockquote class="protonmail_quote" type="cite">And where?</blockquote><div>At the house.</div></div>',
    ],
  ])('keeps the order of answers between quotes: %s', (_client, html) => {
    const { segments, strippedHtml, strippedText } = stripHtml(html);
    expect(segments.map(({ kind }) => kind)).toEqual(['quoted', 'written', 'quoted', 'written']);
    expect(strippedText).toBe('On Tuesday.\n\nAt the house.');
    expect(withoutTags(strippedHtml.replace(/<\/(?:div|p)>/g, ' '))).toBe('On Tuesday. At the house.');
  });

  it.each([
    [
      'Gmail',
      '<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: <b>Ann</b> &lt;a@a.example&gt;<br>Date: Tue, Mar 12, 2024<br>Subject: Meeting<br>To: &lt;b@b.example&gt;<br></div><br><div>Shall we meet?<blockquote class="gmail_quote">When?</blockquote>Soon.</div></div>',
    ],
    [
      'Apple Mail',
      '<div><br><blockquote type="cite"><div>Begin forwarded message:</div><br><div><b>From: </b>Ann</div><div>Shall we meet?</div></blockquote></div>',
    ],
    [
      'Thunderbird',
      '<div class="moz-forward-container"><br>-------- Forwarded Message --------<table class="moz-email-headers-table"><tr><th>Subject: </th><td>Meeting</td></tr></table>Shall we meet?</div>',
    ],
    [
      'Outlook',
      '<hr><div id="divRplyFwdMsg"><b>From:</b> Ann<br><b>Sent:</b> Tuesday</div><div>Shall we meet?</div>',
    ],
  ])('quotes a forwarded message: %s', (_client, forwarded) => {
    expect(
      stripHtml(`<div>For your information.</div>${forwarded}`).segments.map(({ kind }) => kind),
    ).toEqual(['written', 'quoted']);
  });

  it.each([
    [
      'Gmail',
      '<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature"><div>Ann the planner</div></div>',
    ],
    ['Outlook on the web', '<div id="Signature"><p>Ann the planner</p></div>'],
    [
      'Outlook for iOS',
      '<div id="ms-outlook-mobile-signature"><div></div>Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div>',
    ],
    ['Thunderbird', '<div class="moz-signature">-- <br>Ann the planner</div>'],
    ['Proton Mail', '<div class="protonmail_signature_block"><div>Sent with Proton Mail.</div></div>'],
    ['Windows Mail', '<div data-signatureblock="true"><div>Ann the planner</div></div>'],
    ['Apple Mail', '<div id="AppleMailSignature">Ann the planner</div>'],
    ['by its words', '<div><br></div><div>Best regards,</div><div>Ann Lee</div>'],
  ])('removes a signature: %s', (_client, signature) => {
    const { segments, strippedHtml } = stripHtml(`<div>Tuesday is fine.</div>${signature}`);
    expect(segments.map(({ kind }) => kind)).toEqual(['written', 'signature']);
    expect(withoutTags(strippedHtml)).toBe('Tuesday is fine.');
  });

  it.each([
    [
      'in a div right above',
      '<div style="background:#FFEB9C"><b>CAUTION:</b> This email originated from outside of the organization. Do not click links or open attachments.</div>',
    ],
    [
      'in rows of a table',
      '<table><tr><td><b>CAUTION:</b></td></tr><tr><td>This email originated from outside of Acme.</td></tr><tr><td>Do not click links.</td></tr></table>',
    ],
    ['as a mark', '<p><span style="color:red">[EXTERNAL]</span></p>'],
    [
      'as a tip of Exchange in an unknown language',
      '<table><tr><td></td><td>Xyzzy a@a.example. <a href="https://aka.ms/LearnAboutSenderIdentification">Plugh</a></td></tr></table>',
    ],
  ])('removes the warning of a mail gateway: %s', (_where, banner) => {
    const letter = '<div>Hello Bob,</div><div>Tuesday is fine.</div>';
    expect(stripHtml(banner + letter)).toMatchObject({
      strippedText: 'Hello Bob,\nTuesday is fine.',
      strippedHtml: letter,
    });
  });

  it('keeps a blockquote of the author and quotes one below an attribution', () => {
    const html =
      '<p>As the poet says:</p><blockquote>Roses are red.</blockquote><div>On 12.03.2024 10:04, Ann &lt;a@a.example&gt; wrote:</div><blockquote><div><blockquote>Nested</blockquote></div></blockquote>';
    expect(stripHtml(html).strippedText).toBe('As the poet says:\n\nRoses are red.');
  });

  it('quotes a plain blockquote when it contains an attribution', () => {
    const html =
      'Fine.<blockquote><div>On 12 Mar 2024, at 10:04, Ann &lt;a@a.example&gt; wrote:</div><div>Shall we?</div></blockquote><p>Bring the key.</p>';
    expect(stripHtml(html).strippedText).toBe('Fine.\n\nBring the key.');
  });

  it('keeps the remaining html byte for byte', () => {
    const written =
      '<P STYLE=\'x:y\'>5 &lt; 6 &amp; <a href="https://a.example/?a=1&b=2">here</a><br/>\r\n<img src=cid:1></P>';
    const style = '<html><head><style>p > b { color: red }</style></head><body>';
    const html = `${style}${written}<blockquote type=cite>Shall we?</blockquote></body></html>`;
    expect(stripHtml(html).strippedHtml).toBe(`${style}${written}</body></html>`);
  });

  it('returns html without quote and signature unchanged', () => {
    const html = '<div>Hello <i>there</i></div><!-- note --><p>Second<p>Third';
    expect(stripHtml(html)).toEqual({
      segments: [{ kind: 'written', text: 'Hello there\n\nSecond\n\nThird' }],
      strippedHtml: html,
      strippedText: 'Hello there\n\nSecond\n\nThird',
    });
  });

  it('returns the text of lists, cells, links, preformatted lines and entities as displayed', () => {
    const html =
      '<ul><li>one</li><li>two</li></ul><ol><li>first</li><li><p>second</p></li></ol><table><tr><td>a</td><td>b</td></tr></table>' +
      '<p>See <a href="https://a.example/plan">the plan</a> &amp; <a href="https://a.example">https://a.example</a></p><pre>x\n  y</pre><script>no()</script>';
    expect(stripHtml(html).strippedText).toBe(
      '- one\n- two\n\n1. first\n\n2. second\n\na b\n\nSee the plan <https://a.example/plan> & https://a.example\n\nx\n  y',
    );
  });

  it('removes entities and comments beside a cut completely', () => {
    const html = '<div>5 &lt; 6<!-- note -->&gt;&nbsp;<br>&gt; quoted</div><!--[if mso]>x<![endif]-->';
    expect(stripHtml(html).strippedHtml).toBe(
      '<div>5 &lt; 6<!-- note -->&gt;&nbsp;<br></div><!--[if mso]>x<![endif]-->',
    );
  });

  it('creates no tag from a stray bracket before a cut', () => {
    const html = 'a <<blockquote type="cite">quote</blockquote>img src=x';
    expect(stripHtml(html).strippedHtml).toBe('a < img src=x');
  });

  it('returns the whole html when it exceeds the limits', () => {
    const html = `${'<i>'.repeat(200_001)}a<blockquote type="cite">b</blockquote>`;
    expect(stripHtml(html).strippedHtml).toBe(html);
  });

  it('keeps an image above a quote and removes the quote', () => {
    const html = '<div><img src="cid:shot"></div><blockquote type="cite">What do you see?</blockquote>';
    expect(stripHtml(html).strippedHtml).toBe('<div><img src="cid:shot"></div>');
  });

  it.each([
    '',
    '<',
    '</',
    '<div',
    '<blockquote type=cite>',
    '</div></div>',
    '<style>',
    '&#x;',
    '<p><b></p></b>',
  ])('returns broken html unchanged: %j', (html) => {
    expect(stripHtml(html).strippedHtml).toBe(html);
  });
});
