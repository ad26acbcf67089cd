import { describe, expect, it } from 'vitest';
import { answerBody, type QuotedMessage, quoteStyles } from '../../../lib/local/inbox/quotes.ts';
import { stripHtml, stripText } from '../../../lib/mail/index.ts';

const quoted: QuotedMessage = {
  from: { name: 'Acme Support', address: 'support@acme.test' },
  to: [{ name: 'Anna Berg', address: 'anna@example.test' }],
  cc: [],
  at: Date.UTC(2026, 10, 25, 22, 54),
  subject: 'Your order',
  text: 'It is on its way.\n> earlier\n',
  html: '<html><BODY class="x"><p>It is on its way.</p></body></html>',
};

describe('answers', () => {
  it.each(quoteStyles)(
    'in the style of %s are what a reader of replies takes for the written text',
    (style) => {
      const { text, html } = answerBody(style, 'Thank you!\nAnna', quoted);
      expect(stripText(text).stripped.trim()).toBe('Thank you!\nAnna');
      expect(stripHtml(html).strippedHtml).not.toContain('It is on its way.');
      expect(stripHtml(html).strippedHtml).toContain('Thank you!');
    },
  );

  it('of Gmail have the attribution line and the class of its quotes', () => {
    const { text, html } = answerBody('gmail', 'Hi', quoted);
    expect(text).toContain(
      'On Wed, Nov 25, 2026 at 10:54\u202fPM Acme Support <support@acme.test>\nwrote:\n\n> It is',
    );
    expect(text).toContain('\n>> earlier');
    expect(html).toContain('<blockquote class="gmail_quote"');
    expect(html).toContain('<p>It is on its way.</p></blockquote>');
  });

  it('of Outlook have the divider and the block of header fields', () => {
    const { text, html } = answerBody('outlook', 'Hi', quoted);
    expect(text).toContain(
      '________________________________\nFrom: Acme Support <support@acme.test>\n' +
        'Sent: Wednesday, November 25, 2026 10:54 PM\nTo: Anna Berg <anna@example.test>\nSubject: Your order\n\nIt is',
    );
    expect(html).toContain('<div id="divRplyFwdMsg" dir="ltr">');
  });

  it('of Apple Mail have a blockquote of type cite', () => {
    const { text, html } = answerBody('apple', 'Hi', quoted);
    expect(text).toContain(
      '> On Nov 25, 2026, at 10:54\u202fPM, Acme Support <support@acme.test> wrote:\n>\n> It is',
    );
    expect(html).toContain('<blockquote type="cite">');
  });

  it('of a message without html quote its text, escaped', () => {
    const { html } = answerBody('gmail', '<b>', { ...quoted, html: null, text: 'a < b' });
    expect(html).toContain('&lt;b&gt;');
    expect(html).toContain('a &lt; b</blockquote>');
  });
});
