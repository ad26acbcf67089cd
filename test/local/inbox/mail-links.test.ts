import { describe, expect, it } from 'vitest';
import { linksOf } from '../../../lib/local/inbox/mail-links.ts';
import { parseMime } from '../../../lib/mail/index.ts';

const linksIn = async (fields: string, html: string) =>
  linksOf(await parseMime(Buffer.from(`${fields}\r\nContent-Type: text/html\r\n\r\n${html}`)));

describe('the links of a message', () => {
  it('are those of its html, with the tracked ones, and the pixels', async () => {
    const { links, pixels } = await linksIn(
      'Subject: a',
      '<a href="http://api.test/t/c/abc">Track <b>it</b></a> <a href="https://x.test/">x</a> <a href="javascript:1">y</a>' +
        '<img src="http://api.test/t/o/def"><img src="http://evil.test/p.png">',
    );
    expect(links).toEqual([
      { url: 'http://api.test/t/c/abc', text: 'Track it', isTracked: true },
      { url: 'https://x.test/', text: 'x', isTracked: false },
    ]);
    expect(pixels).toEqual(['http://api.test/t/o/def']);
  });

  it.each([
    [
      'List-Unsubscribe: <http://api.test/u/abc>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click',
      { by: 'post', url: 'http://api.test/u/abc' },
    ],
    [
      'List-Unsubscribe: <http://api.test/u/abc>, <mailto:a@x.test?subject=stop%20it>',
      { by: 'mail', address: 'a@x.test', subject: 'stop it' },
    ],
    ['List-Unsubscribe: <http://evil.test/leave>\r\nList-Unsubscribe-Post: List-Unsubscribe=One-Click', null],
    ['Subject: a', null],
  ])('unsubscribe by %s', async (fields, expected) => {
    expect((await linksIn(fields, '')).unsubscribe).toEqual(expected);
  });
});
