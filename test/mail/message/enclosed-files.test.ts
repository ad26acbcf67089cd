import { describe, expect, it } from 'vitest';
import { takeEnclosedFiles } from '../../../lib/mail/message/enclosed-files.ts';
import { parseMime } from '../../../lib/mail/message/parse-mime.ts';

const armour = (kind: string) =>
  [
    `-----BEGIN PGP ${kind}-----`,
    'Version: GnuPG v2',
    '',
    'iQEzBAEB+/x=',
    '=abcd',
    `-----END PGP ${kind}-----`,
  ].join('\n');
const cat = 'begin 644 C:\\TEMP\\cat.txt\n#0V%T\n`\nend';

const read = async (body: string, fields = 'Content-Type: text/plain; charset=utf-8') => {
  const { text, attachments } = await parseMime(Buffer.from(`From: a@example.test\n${fields}\n\n${body}`));
  return {
    text,
    files: attachments.map(({ filename, contentType, content }) => [
      filename,
      contentType,
      Buffer.from(content).toString('latin1'),
    ]),
  };
};

describe('parseMime of files in a text', () => {
  it('makes a uuencoded file an attachment, with the text around it', async () => {
    expect(await read(`Hello,\n\n${cat}\n\nRegards`)).toEqual({
      text: 'Hello,\n\n\nRegards',
      files: [['cat.txt', 'text/plain', 'Cat']],
    });
  });

  it.each([
    ['MESSAGE', 'message.asc', 'application/pgp-encrypted'],
    ['PUBLIC KEY BLOCK', 'public-key.asc', 'application/pgp-keys'],
    ['SIGNATURE', 'signature.asc', 'application/pgp-signature'],
  ])('makes OpenPGP armour of a %s an attachment', async (kind, filename, type) => {
    expect(await read(`Hi\n${armour(kind)}\nBye`)).toEqual({
      text: 'Hi\nBye',
      files: [[filename, type, `${armour(kind)}\n`]],
    });
  });

  it('shows signed text without its armour and escapes', async () => {
    const signed = `-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA256\n\nYes:\n- - one\n- -- \nAnn\n${armour('SIGNATURE')}`;
    const { text, files } = await read(signed);
    expect(text).toBe('Yes:\n- one\n-- \nAnn');
    expect(files.map(([name]) => name)).toEqual(['signature.asc']);
  });

  it('makes a yEnc file an attachment', () => {
    const data = Buffer.from([0, 61 - 42, 200, 10]);
    const encoded = Buffer.concat([
      Buffer.from('Hi\n=ybegin line=128 size=4 name=a b.bin\n'),
      Buffer.from([42, 61, (61 + 64) & 0xff, 242, 52]),
      Buffer.from('\n=yend size=4\nBye'),
    ]);
    const { text, files } = takeEnclosedFiles(encoded, 'windows-1252');
    expect(text.toString()).toBe('Hi\nBye');
    expect(files).toEqual([{ filename: 'a b.bin', contentType: 'application/octet-stream', content: data }]);
  });

  it.each([
    'begin 644 reading at page ten\nand go on\nend',
    'begin 644 cat.txt\n#0V%T\n`\n',
    '> begin 644 cat.txt\n> #0V%T\n> `\n> end',
    '-----BEGIN PGP MESSAGE-----\n\nhow it looks\n-----END PGP MESSAGE-----',
    '-----BEGIN PGP SIGNATURE-----\n\niQEz',
    '=ybegin line=128 size=9 name=a\nabc\n=yend size=9',
  ])('leaves %j in the text', async (body) => {
    expect(await read(body)).toEqual({ text: body.trimEnd(), files: [] });
  });

  it('takes a file out of an alternative text, and keeps the html', async () => {
    const body = `--b\nContent-Type: text/plain\n\nHi\n${cat}\n--b\nContent-Type: text/html\n\n<p>Hi</p>\n--b--`;
    const read1 = await read(body, 'Content-Type: multipart/alternative; boundary=b');
    expect(read1).toEqual({ text: 'Hi', files: [['cat.txt', 'text/plain', 'Cat']] });
  });

  it('takes a hundred files, and leaves others in the text', () => {
    const { text, files } = takeEnclosedFiles(Buffer.from(`${cat}\n`.repeat(10_000)), 'windows-1252');
    expect([files.length, text.toString().split(cat).length - 1]).toEqual([100, 9900]);
  });

  it.each(['begin 644 a\n', '-----BEGIN PGP MESSAGE-----\n', '=ybegin size=1 name=a\n', 'begin 644 a\nM\n'])(
    'reads a megabyte of %j in time',
    (line) => {
      const text = Buffer.from(line.repeat(1_000_000 / line.length));
      expect(takeEnclosedFiles(text, 'windows-1252').files).toEqual([]);
    },
    2000,
  );
});
