import { describe, expect, it } from 'vitest';
import { frameHeaders, framePage } from '../../../lib/local/inbox/frame.ts';

const options = { remotePictures: false, urlOfCid: (cid: string) => (cid === 'logo' ? '/files/0' : null) };
const page = (html: string) => framePage(html, options);
const bodyOf = (html: string) => /<body>(.*)<\/body>/s.exec(page(html))?.[1];

describe('the frame of a message', () => {
  it.each([
    ['<script>alert(1)</script>a', 'a'],
    ['<SCRIPT SRC=//evil.test/x>', ''],
    ['<p onclick="alert(1)" style="color:red">a</p>', '<p style="color:red">a</p>'],
    ['<meta http-equiv=refresh content="0;url=http://evil.test"><base href="http://evil.test">a', 'a'],
    ['<link rel=dns-prefetch href="//evil.test">a', 'a'],
    ['<form action="http://evil.test"><input name=a></form>', '<input name="a">'],
    ['<iframe srcdoc="<script>1</script>"></iframe>a', 'a'],
    ['<a href="javascript:alert(1)">a</a>', '<a>a</a>'],
    [
      '<a href=" https://x.test/?a=1&amp;b" target=_top ping="//evil.test">a</a>',
      '<a href=" https://x.test/?a=1&amp;b">a</a>',
    ],
    ['<svg><a xlink:href="javascript:1"><text>a</text></a></svg>', '<svg><a><text>a</text></a></svg>'],
    ['<svg><use href="http://evil.test#a"/></svg>', '<svg><use></use></svg>'],
    ['<img src="cid:logo"><img src="cid:none">', '<img src="/files/0"><img>'],
    ['<style>p > a { color: red } </style><p>a', '<style>p > a { color: red } </style><p>a</p>'],
    ['a &lt;b&gt; &amp; "c"', 'a &lt;b&gt; &amp; &quot;c&quot;'],
  ])('makes of %s', (html, expected) => {
    expect(bodyOf(html)).toBe(expected);
  });

  it('ends with the message, however broken that is', () => {
    for (const html of [
      '<table>'.repeat(1000),
      '<!--',
      '<a href="',
      '</body></html><script>',
      '<style><!--',
    ]) {
      expect(page(html).endsWith('</body></html>')).toBe(true);
    }
  });

  it('has a policy that runs nothing and loads pictures of other hosts on request only', () => {
    const policy = (remote: boolean) => frameHeaders(remote)['content-security-policy'];
    expect(policy(false)).toBe(
      "default-src 'none'; img-src 'self' data:; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; " +
        "frame-ancestors 'self'; sandbox allow-popups allow-popups-to-escape-sandbox",
    );
    expect(policy(true)).toContain("img-src 'self' data: http: https:;");
  });
});
