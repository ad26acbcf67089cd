import { describe, expect, it } from 'vitest';
import { contentDisposition, servedType } from '../../../lib/core/attachments/download.ts';
import { namedType } from '../../../lib/mail/message/media-types.ts';

describe('contentDisposition', () => {
  it.each([
    ['report.pdf', 'attachment; filename="report.pdf"'],
    [
      'Angebot für Zoë.pdf',
      `attachment; filename="Angebot f_r Zo_.pdf"; filename*=UTF-8''Angebot%20f%C3%BCr%20Zo%C3%AB.pdf`,
    ],
    ['見積書.xlsx', `attachment; filename="___.xlsx"; filename*=UTF-8''%E8%A6%8B%E7%A9%8D%E6%9B%B8.xlsx`],
    [
      `it's "50%" (new)*.txt`,
      `attachment; filename="it's _50__ (new)*.txt"; filename*=UTF-8''it%27s%20%2250%25%22%20%28new%29%2A.txt`,
    ],
    ['../../etc/passwd', 'attachment; filename=".._.._etc_passwd"'],
    ['a\r\nSet-Cookie: x', 'attachment; filename="aSet-Cookie: x"'],
    ['\u202etxt.exe', 'attachment; filename="txt.exe"'],
    ['', 'attachment; filename="attachment"'],
  ])('names %j in any script and never as a path', (name, header) => {
    expect(contentDisposition(name)).toBe(header);
  });

  it('keeps the extension when the name is too long', () => {
    const header = contentDisposition(`${'長'.repeat(300)}.docx`);
    const [, encoded = ''] = /filename\*=UTF-8''(.*)$/.exec(header) ?? [];
    const name = decodeURIComponent(encoded);
    expect(name).toMatch(/^長+\.docx$/);
    expect(Buffer.byteLength(name)).toBeLessThanOrEqual(255);
  });
});

describe('servedType', () => {
  it.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'text/javascript',
    'multipart/related',
    'application/vnd.x+xml',
    'x',
    'text/plain; charset=utf-8\r\n',
  ])('is application/octet-stream for %j', (type) => {
    expect(servedType(type)).toBe('application/octet-stream');
  });

  it.each([
    'application/pdf',
    'image/png',
    'text/plain',
    'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  ])('keeps %s', (type) => {
    expect(servedType(type)).toBe(type);
  });
});

describe('namedType', () => {
  it('is the declared type when that is a media type', () => {
    expect(namedType('text/html')).toBe('text/html');
    expect(namedType('nonsense\n')).toBe('application/octet-stream');
  });
});
