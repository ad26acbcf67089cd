import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as attributions from '../../../lib/core/quoting/attributions.ts';
import { findAttributionStart } from '../../../lib/core/quoting/attributions.ts';
import { buildSegments, classifyLines, joinLines } from '../../../lib/core/quoting/classify-lines.ts';
import { elementRole } from '../../../lib/core/quoting/client-markup.ts';
import { closingStrength } from '../../../lib/core/quoting/closings.ts';
import { cutHtml, hasWrittenImage } from '../../../lib/core/quoting/cut-html.ts';
import * as footers from '../../../lib/core/quoting/footers.ts';
import { parseHtml } from '../../../lib/core/quoting/parse-html.ts';
import { isQuotedLine, parseText } from '../../../lib/core/quoting/parse-text.ts';
import { findQuoteHeader, inlineDividerBreaks } from '../../../lib/core/quoting/quote-headers.ts';
import * as lines from '../../../lib/core/quoting/signature-lines.ts';
import { findFooterAtEnd, findSignatures } from '../../../lib/core/quoting/signatures.ts';
import { strip, stripHtml, stripText } from '../../../lib/core/quoting/strip.ts';
import * as documents from '../../../lib/core/quoting/text-document.ts';
import { tokenizeHtml } from '../../../lib/core/quoting/tokenize-html.ts';
import { expectLinear } from '../../support/growth.ts';

const folder = join(import.meta.dirname, '../../../lib/core/quoting');

/** Every exported function that reads text from outside, applied to a text. */
const parsers: Readonly<Record<string, (text: string) => unknown>> = {
  findAttributionStart: (text) =>
    atEachLine(text, (document, line) => findAttributionStart(document, line, 0)),
  endsInAttributionVerb: attributions.endsInAttributionVerb,
  inlineAttributionStart: attributions.inlineAttributionStart,
  inlineAttributionEnd: attributions.inlineAttributionEnd,
  classifyLines: (text) => classifyLines(parseText(text)),
  buildSegments: (text) => buildSegments(parseText(text), classifyLines(parseText(text))),
  joinLines: (text) => joinLines(parseText(text), 0, parseText(text).lines.length),
  elementRole: (text) =>
    ['div', 'blockquote'].map((name) =>
      elementRole(name, { id: text, className: text, name: text, type: text, style: text, data: text }),
    ),
  closingStrength,
  hasWrittenImage: (text) => hasWrittenImage(parseHtml(text), classifyLines(parseHtml(text))),
  cutHtml: (text) => cutHtml(text, parseHtml(text), classifyLines(parseHtml(text))),
  isAppFooter: footers.isAppFooter,
  isDisclaimer: footers.isDisclaimer,
  isDisclaimerHeading: footers.isDisclaimerHeading,
  isListFooter: footers.isListFooter,
  parseHtml,
  parseText,
  isQuotedLine: (text) => [isQuotedLine(`>${text}`, text), isQuotedLine(text, `<a@${text}`)],
  findQuoteHeader: (text) => atEachLine(text, (document, line) => findQuoteHeader(document, line, 0)),
  inlineDividerBreaks,
  announcesContact: lines.announcesContact,
  hasContact: lines.hasContact,
  isNameLike: (text) => lines.isNameLike(text, true),
  isRequest: lines.isRequest,
  isSentence: lines.isSentence,
  isSlogan: lines.isSlogan,
  isUnclear: lines.isUnclear,
  findFooterAtEnd: (text) => findFooterAtEnd(parseText(text), 0, parseText(text).lines.length),
  findSignatures: (text) => findSignatures(parseText(text), 0, parseText(text).lines.length, true),
  strip: (text) => strip({ text, html: text }),
  stripHtml,
  stripText,
  hasFlag: (text) => documents.hasFlag(parseText(text), 0, 1),
  isBlank: documents.isBlank,
  isHorizontalRule: documents.isHorizontalRule,
  lastVisibleCharacter: documents.lastVisibleCharacter,
  nextNonBlankLine: (text) => documents.nextNonBlankLine(parseText(text), 0, parseText(text).lines.length),
  normalizeLine: documents.normalizeLine,
  trimCharacters: (text) => documents.trimCharacters(text, '-*'),
  tokenizeHtml: (text) =>
    tokenizeHtml(text, new Set(['id']), {
      open: () => undefined,
      close: () => undefined,
      text: () => undefined,
      isDone: () => false,
    }),
};

/** Exported functions that read no text from outside: word tables, element names, parts of the html parser. */
const withoutText = [
  'addBlankLine',
  'addBlockBoundary',
  'addHorizontalRule',
  'addImage',
  'addLineBreak',
  'addLinkTarget',
  'addText',
  'allWords',
  'alternatives',
  'containsEndTag',
  'createLineBuilder',
  'createScopeTracker',
  'isClosedBy',
  'wordPattern',
];

/** Characters and fragments that rules look for. */
const fragments = [
  'a',
  '1',
  ' ',
  '\n',
  '\t',
  '.',
  ',',
  '-',
  '_',
  '*',
  '>',
  '<',
  '@',
  ':',
  '(',
  '"',
  '/',
  '&',
  '了',
  '、',
  'a@',
  '<a@',
  'a.',
  'a b ',
  'A b. ',
  '1.1.2024 10:00 ',
  'On ',
  '---',
  '-- \n',
  'wrote:',
  '<div>',
  '<p style="',
  'white-space ',
  'border: ',
  'From: a ',
  'thanks and ',
  'Best regards, ',
  'please ',
  '\u200b',
  'é',
  '\u{1f600}',
];

function atEachLine(text: string, apply: (document: documents.TextDocument, line: number) => unknown): void {
  const document = parseText(text);
  for (let line = 0; line < document.lines.length; line++) apply(document, line);
}

describe('lib/core/quoting', () => {
  it('has no exported function without a test of its processor time', async () => {
    const modules = await Promise.all(
      readdirSync(folder).map((file): Promise<Record<string, unknown>> => import(join(folder, file))),
    );
    const names = modules.flatMap((module) =>
      Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
    );
    expect(names.sort()).toEqual([...Object.keys(parsers), ...withoutText].sort());
  });

  it.each(Object.entries(parsers))(
    '%s takes linear time when its input is adversarial',
    async (_name, parser) => {
      const inputs = (size: number) =>
        fragments.map((fragment) => fragment.repeat(Math.ceil(size / fragment.length)));
      await expectLinear(inputs, (texts) => texts.map(parser), 2000);
    },
  );
});
