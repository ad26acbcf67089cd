import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { categorize } from '../../../lib/mail/category/category.ts';
import { textOfHtml } from '../../../lib/mail/html/html-text.ts';
import { type ParsedMessage, parseMime } from '../../../lib/mail/message/parse-mime.ts';
import { snippet } from '../../../lib/mail/text/snippet.ts';
import { corpus, corpusName, isCorpusHere, presentInCorpus } from '../../../scripts/corpus/files.ts';

function filesUnder(folder: string, isWanted: (name: string) => boolean): string[] {
  return readdirSync(join(corpus, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isWanted(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The first field of that name in the header of a file, whatever its line ends. */
function rawField(raw: Buffer, name: string): string {
  const lines = raw.toString('latin1').split(/\r\n|\n|\r/);
  const header = lines.slice(0, Math.max(lines.indexOf(''), 0));
  const prefix = `${name}:`;
  return (
    header
      .find((line) => line.toLowerCase().startsWith(prefix))
      ?.slice(prefix.length)
      .trim() ?? ''
  );
}

/** The visible part of the mail-parser project's expectation for a file. */
const addressValue = z.object({
  Address: z.union([
    z
      .object({ List: z.array(z.object({ name: z.string().nullable(), address: z.string().nullable() })) })
      .transform(({ List }) => List),
    z
      .object({
        Group: z.array(
          z.object({
            addresses: z.array(z.object({ name: z.string().nullable(), address: z.string().nullable() })),
          }),
        ),
      })
      .transform(({ Group }) => Group.flatMap(({ addresses }) => addresses)),
  ]),
});
const textValue = z.object({ Text: z.string() });
const expectation = z.object({
  text_body: z.array(z.number()),
  parts: z.array(
    z.object({ headers: z.array(z.object({ name: z.unknown(), value: z.unknown() })), body: z.unknown() }),
  ),
});

function inCorpus(file: string): string {
  return file.slice(corpus.length + 1);
}

function collapseWhitespace(text: string): string {
  return text.replace(/[\s\0]+/g, ' ').trim();
}

describe(`the messages of ${corpusName}`, () => {
  const messages = ['mime', 'bounces', 'replies'].flatMap((folder) =>
    filesUnder(folder, (name) => !/\.(?:json|md|html|gitattributes)$/.test(name) && name !== 'COPYING'),
  );

  it('have author, subject and date when the raw header has them', async () => {
    const lost: string[] = [];
    for (const file of messages) {
      const raw = readFileSync(file);
      const { from, subject, text, html, attachments, date } = await parseMime(raw);
      if (/@[a-z0-9]/i.test(rawField(raw, 'from')) && from === null) lost.push(`from of ${file}`);
      if (rawField(raw, 'subject') !== '' && subject === '') lost.push(`subject of ${file}`);
      if (/^\w{3}, \d+ \w{3} (?:19[7-9]|20)\d+ \d\d:/.test(rawField(raw, 'date')) && date === null)
        lost.push(`date of ${file}`);
      // Its body is delimiters and the header of an empty part.
      if (file.endsWith('malformed/007.eml')) continue;
      const hasBody = /(?:\r\n\r\n|\n\n|\r\r)\s*\S/.test(raw.toString('latin1'));
      if (hasBody && text === null && html === null && attachments.length === 0) lost.push(`body of ${file}`);
    }
    expect(messages.length).toBeGreaterThan(isCorpusHere ? 700 : 300);
    expect(lost).toEqual([]);
  });

  it('have no undecoded bytes, escape sequences or encoded words', async () => {
    const broken: string[] = [];
    for (const file of messages) {
      const raw = readFileSync(file);
      if (raw.includes('\ufffd')) continue;
      const { subject, from, text } = await parseMime(raw);
      const isUndecoded = /=\?[\w-]+\?[bq]\?[^?]+\?=/i.test(`${subject} ${from?.name}`);
      if (
        isUndecoded ||
        ['\ufffd', '\u001b'].some((sign) => `${subject} ${from?.name} ${text}`.includes(sign))
      )
        broken.push(inCorpus(file));
    }
    // The server that returned the message cut the subject within a character.
    expect(broken).toEqual(presentInCorpus(['bounces/sisimai/maildir/bsd/lhost-exchange2007-04.eml']));
  });

  it('agree with the expectations of the mail-parser project', async () => {
    const files = filesUnder('mime/stalwart', (name) => name.endsWith('.eml'));
    const differing: string[] = [];
    for (const file of files) {
      const parsed = await parseMime(readFileSync(file));
      const { parts, text_body } = expectation.parse(
        JSON.parse(readFileSync(file.replace(/eml$/, 'json'), 'utf8')),
      );
      const field = (name: string) => parts[0]?.headers.findLast((header) => header.name === name)?.value;
      const compare = (what: string, expected: string, got: string) => {
        // That project returns replacement characters here, ours text.
        if (!expected.includes('\ufffd') && expected !== got) differing.push(`${inCorpus(file)} ${what}`);
      };
      const addresses = (name: string) => {
        const { data } = addressValue.safeParse(field(name));
        return JSON.stringify(data?.Address.map((entry) => [entry.name, entry.address]) ?? []);
      };
      const listed = (list: ParsedMessage['to']) =>
        JSON.stringify(list.map(({ name, address }) => [name, address]));
      const texts = text_body.flatMap(
        (index) => z.object({ Text: z.string() }).safeParse(parts[index]?.body).data?.Text ?? [],
      );
      compare('subject', textValue.safeParse(field('subject')).data?.Text ?? '', parsed.subject);
      compare('from', addresses('from'), listed(parsed.from === null ? [] : [parsed.from]));
      compare('to', addresses('to'), listed(parsed.to));
      // The text of a broken structure is undefined.
      if (!file.includes('malformed'))
        compare('text', collapseWhitespace(texts.join('\n')), collapseWhitespace(parsed.text ?? ''));
    }
    expect(files.length).toBeGreaterThan(isCorpusHere ? 70 : 40);
    // Inline text files and unknown kinds of text (RFC 2046 4.1.4) are text to us and files to them.
    const inline = [
      'mime/stalwart/legacy/030.eml',
      'mime/stalwart/legacy/042.eml',
      'mime/stalwart/rfc/000.eml',
      'mime/stalwart/thirdparty/008.eml',
      'mime/stalwart/thirdparty/012.eml',
    ];
    // A uuencoded file in the text is a file to us and text to them.
    const uuencoded = ['mime/stalwart/legacy/049.eml'];
    expect(differing.toSorted()).toEqual(
      presentInCorpus([...inline, ...uuencoded])
        .map((file) => `${file} text`)
        .toSorted(),
    );
  });

  it('are categorized as bounce when they are bounces', async () => {
    const counts = { bounce: 0, other: 0 };
    for (const file of filesUnder('bounces/sisimai/maildir', (name) =>
      /^(?:lhost|rhost|rfc3464)-.*\.eml$/.test(name),
    )) {
      const category = categorize({ ...(await parseMime(readFileSync(file))), verdicts: { spam: null } });
      counts[category === 'bounce' ? 'bounce' : 'other'] += 1;
    }
    expect(counts.bounce / (counts.bounce + counts.other)).toBeGreaterThan(0.96);
  });

  it('are categorized as human when people wrote them', async () => {
    for (const file of filesUnder(
      'replies/talon/standard_replies',
      (name) => name.endsWith('.eml') && name !== 'outlook.eml',
    )) {
      const parsed = await parseMime(readFileSync(file));
      expect([file, categorize({ ...parsed, verdicts: { spam: null } })]).toEqual([file, 'human']);
    }
  });

  it('become text without tags when they are html', async () => {
    for (const file of filesUnder('replies', (name) => name.endsWith('.html'))) {
      const text = textOfHtml(readFileSync(file, 'utf8'));
      expect(text).not.toMatch(/<\/?(?:div|p|span|br|table|td|style|blockquote)\b/i);
      expect(snippet(text).length).toBeGreaterThan(10);
    }
  });
});
