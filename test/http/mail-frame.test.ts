import { describe, expect, it } from 'vitest';
import { mailFrame } from '../../lib/http/pages/mail-frame.ts';
import { framedHtml, showsRemotePictures } from '../../lib/mail/index.ts';

const files = new Map([['logo@x', 'https://files.example.com/a?sig=1&b=2']]);

/** What is within the body. */
function shown(html: string, withRemotePictures = false): string {
  return /<body>([\s\S]*)<\/body>/.exec(framedHtml(html, { files, withRemotePictures }))?.[1] ?? 'no body';
}

describe('framedHtml', () => {
  it.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<scr<script>ipt>alert(1)</script>', 'ipt&gt;alert(1)'],
    ['<svg><script>1</script><a href="javascript:1">x</a></svg>b', 'b'],
    ['<math><mi xlink:href="data:x">c</mi></math>d', 'd'],
    ['<iframe srcdoc="<script>1</script>">e</iframe>f', 'f'],
    ['<object data="x"><embed src="x"></object>g', 'g'],
    ['<embed src="x">h', 'h'],
    [
      '<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example">i',
      'i',
    ],
    ['<form action="https://evil.example"><input name="a"><button>j</button></form>', 'j'],
    ['<link rel="stylesheet" href="https://evil.example/a.css">k', 'k'],
    ['<p onclick="alert(1)" onmouseover=x style="color:red">l</p>', '<p style="color:red">l</p>'],
    ['<body bgcolor="#eee" onload="x">m</body>', '<div bgcolor="#eee">m'],
    ['<b>1 &lt; 2 &amp; 3</b>', '<b>1 &lt; 2 &amp; 3</b>'],
    ['<!--[if mso]><script>1</script><![endif]-->n', 'n'],
    [
      '<textarea></textarea><style>p{}</textarea><script>1</script>',
      '<style>p{}/textarea>script>1/script></style>',
    ],
  ])('makes %s safe', (html, expected) => {
    expect(shown(html)).toBe(expected);
  });

  it.each([
    ['https://example.com/?a=1&b="', 'https://example.com/?a=1&amp;b=&quot;'],
    ['mailto:a@example.com', 'mailto:a@example.com'],
    ['java\tscript:alert(1)', null],
    [' javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['/relative', null],
    ['#part', null],
    ['//host/x', null],
  ])('leads the link %j to %j', (href, target) => {
    const link = target === null ? '<a' : `<a href="${target}"`;
    expect(shown(`<a href='${href}'>x</a>`)).toBe(`${link} target="_blank" rel="noreferrer noopener">x</a>`);
  });

  it('shows pictures of the message and, if wanted, of other hosts', () => {
    const html =
      '<img src="cid:logo%40x"><img src="cid:none"><img src="data:image/png;base64,AA"><img src="data:image/svg+xml,x">' +
      '<img src="https://a.example/p.gif" srcset="https://a.example/2.gif"><td background="http://a.example/b">';
    const own =
      '<img src="https://files.example.com/a?sig=1&amp;b=2"><img><img src="data:image/png;base64,AA"><img>';
    expect(shown(html)).toBe(`${own}<img><td>`);
    expect(shown(html, true)).toBe(
      `${own}<img src="https://a.example/p.gif"><td background="http://a.example/b">`,
    );
  });

  it('leaves what loads out of styles, and their end', () => {
    const html =
      '<style>@import "https://a.example";a{background:URL(x)}</style><p style="background:url(y)">';
    expect(shown(html)).toBe(
      '<style>@left-out "https://a.example";a{background:left-out(x)}</style><p style="background:left-out(y)">',
    );
    expect(shown('<style>a{color:red}<')).toMatch(/^<style>a\{color:red\}<\/style>$/);
  });

  it.each([
    ['<p style="background:u\\72l(/t/o/x)">', '<p style="background:u72l(/t/o/x)">'],
    ['<p style="background:u&#92;72l(/t/o/x)">', '<p style="background:u72l(/t/o/x)">'],
    [
      '<style>@\\69mport "/x";a{background:\\75rl(/x)}</style>',
      '<style>@69mport "/x";a{background:75rl(/x)}</style>',
    ],
  ])('lets no escape in CSS hide what loads: %s', (html, expected) => {
    expect(shown(html)).toBe(expected);
    expect(shown(html, true)).not.toContain('\\');
  });

  it('opens a bounded number of elements within each other', () => {
    const count = (html: string, tag: string) => shown(html).split(`<${tag}`).length - 1;
    expect(count('<b id=1>'.repeat(100), 'b')).toBe(100);
    expect(count('<b id=1>'.repeat(101), 'b')).toBe(100);
    expect(count('<b id=1>'.repeat(10_000), 'b')).toBe(100);
    expect(count('<b>x</b>'.repeat(10_000), 'b')).toBe(10_000);
    expect(count('<table>'.repeat(51), 'table')).toBe(50);
  });

  it('writes a bounded number of tags, and the text of what follows', () => {
    const count = (html: string, tag: string) => shown(html).split(`<${tag}`).length - 1;
    expect(count('<br>'.repeat(30_001), 'br')).toBe(30_000);
    expect(count('<body>'.repeat(30_001), 'div')).toBe(30_000);
    expect(count('<table><tr><td>1</table>'.repeat(50_000), 'table')).toBe(10_000);
    expect(shown(`${'<br>'.repeat(30_000)}<b>rest</b></div>`)).toMatch(/<br>rest$/);
  });
});

describe('showsRemotePictures', () => {
  it.each([
    ['<img src="https://a.example/x">', true],
    ["<td background='//a.example/x'>", true],
    ['<p style="background: url( https://a.example)">', true],
    ['<img src="cid:a"><a href="https://a.example">', false],
  ])('of %s is %s', (html, expected) => expect(showsRemotePictures(html)).toBe(expected));
});

describe('mailFrame', () => {
  const policyOf = (files: ReadonlyMap<string, string>) =>
    mailFrame({ html: 'x', files, withRemotePictures: false }).headers?.['content-security-policy'] ?? '';

  it('loads from its own origin only where a file of the message is there', () => {
    expect(policyOf(new Map())).toContain('img-src data:;');
    expect(policyOf(new Map([['a', '/_control/files/1']]))).toContain("img-src data: 'self';");
  });

  it('has a policy in which nothing runs, and only files of the message load', () => {
    const { headers, status } = mailFrame({ html: 'x', files, withRemotePictures: false });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toBe(
      "sandbox allow-popups allow-popups-to-escape-sandbox allow-same-origin; default-src 'none'; " +
        "style-src 'unsafe-inline'; img-src data: https://files.example.com; form-action 'none'; " +
        "base-uri 'none'; frame-ancestors 'self'",
    );
  });
});
