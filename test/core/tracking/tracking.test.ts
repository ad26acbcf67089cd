import { describe, expect, it } from 'vitest';
import { addPixel, trackLinks } from '../../../lib/core/tracking/tracking.ts';
import { expectLinear } from '../../support/growth.ts';

const track = (html: string) => trackLinks(html, (target) => `T(${target})`);

describe('trackLinks', () => {
  it.each([
    ['<a href="https://example.com/a">x</a>', '<a href="T(https://example.com/a)">x</a>'],
    ["<a href='http://example.com/a'>x</a>", '<a href="T(http://example.com/a)">x</a>'],
    ['<a href=https://example.com/a class=b>x</a>', '<a href="T(https://example.com/a)" class=b>x</a>'],
    ['<A HREF = "HTTPS://Example.com">x</A>', '<A HREF = "T(https://example.com/)">x</A>'],
    [
      '<a href="https://example.com/?a=1&amp;b=2&c=3">x</a>',
      '<a href="T(https://example.com/?a=1&b=2&c=3)">x</a>',
    ],
    ['<a href=" https://example.com/ä ">x</a>', '<a href="T(https://example.com/%C3%A4)">x</a>'],
    ['<area href="https://example.com/" />', '<area href="T(https://example.com/)" />'],
    [
      '<p>a</p><a href="https://a.test/">1</a> <a href="https://b.test/">2</a>',
      '<p>a</p><a href="T(https://a.test/)">1</a> <a href="T(https://b.test/)">2</a>',
    ],
  ])('replaces the link in %s', (html, tracked) => {
    expect(track(html)).toBe(tracked);
  });

  it.each([
    '<a href="mailto:a@example.com">x</a>',
    '<a href="tel:1">x</a>',
    '<a href="#top">x</a>',
    '<a href="/relative">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<a href="https://example.com/" data-no-track>x</a>',
    '<a data-no-track="1" href="https://example.com/">x</a>',
    '<a href="https://example.com/unsubscribe?u=1">x</a>',
    '<a href="https://example.com/opt-out">x</a>',
    '<a href="{{unsubscribe_url}}">x</a>',
    '<a href="https://{{host}}/">x</a>',
    '<a href="https://">x</a>',
    '<a href="&#104;ttps://example.com/">x</a>',
    `<a href="https://example.com/${'a'.repeat(2000)}">x</a>`,
    '<img src="https://example.com/a.png"><link href="https://example.com/a.css">',
    '<!-- <a href="https://example.com/">x</a> -->',
    '<a href="https://example.com/',
    'https://example.com/',
  ])('keeps %s', (html) => {
    expect(track(html)).toBe(html);
  });

  it('replaces the first 1000 links of an email', () => {
    const html = track('<a href="https://example.com/">x</a>'.repeat(1005));
    expect(html.match(/T\(/g)).toHaveLength(1000);
    expect(html.endsWith('<a href="https://example.com/">x</a>')).toBe(true);
  });

  it('is linear for any html', async () => {
    await expectLinear(
      (size) => '<a href="https://example.com/"><a href="&amp;'.repeat(size),
      (html) => {
        track(html);
        addPixel(html.replaceAll('<a', '</body'), 'p');
      },
      2500,
    );
  });
});

describe('addPixel', () => {
  it('inserts the pixel at the end of the body', () => {
    expect(addPixel('<html><body>a</BODY></html>', 'P')).toMatch(
      /^<html><body>a<img src="P"[^>]*><\/BODY><\/html>$/,
    );
    expect(addPixel('<html>a</html>', 'P')).toMatch(/^<html>a<img [^>]*><\/html>$/);
    expect(addPixel('a', 'P')).toMatch(/^a<img [^>]*>$/);
  });
});
