/** Growth cases of `lib/core/quoting`. */
import * as attributions from '../../../lib/core/quoting/attributions.ts';
import { buildSegments, classifyLines, joinLines } from '../../../lib/core/quoting/classify-lines.ts';
import { elementRole } from '../../../lib/core/quoting/client-markup.ts';
import { closingStrength } from '../../../lib/core/quoting/closings.ts';
import { cutHtml, hasWrittenImage } from '../../../lib/core/quoting/cut-html.ts';
import * as footers from '../../../lib/core/quoting/footers.ts';
import { wordTest } from '../../../lib/core/quoting/languages.ts';
import { parseHtml } from '../../../lib/core/quoting/parse-html.ts';
import { isQuotedLine, parseText } from '../../../lib/core/quoting/parse-text.ts';
import { findQuoteHeader, inlineDividerBreaks } from '../../../lib/core/quoting/quote-headers.ts';
import * as lines from '../../../lib/core/quoting/signature-lines.ts';
import { findFooterAtEnd, findSignatures } from '../../../lib/core/quoting/signatures.ts';
import { strip, stripHtml, stripText } from '../../../lib/core/quoting/strip.ts';
import * as documents from '../../../lib/core/quoting/text-document.ts';
import { tokenizeHtml } from '../../../lib/core/quoting/tokenize-html.ts';
import { type GrowthCases, noText, ofTheParser } from './cases.ts';

export const quotingCases: GrowthCases = {
  'quoting/attributions.ts': {
    endsInAttributionVerb: attributions.endsInAttributionVerb,
    findAttributionStart: (text) =>
      atEachLine(text, (document, line) => attributions.findAttributionStart(document, line, 0)),
    inlineAttributionEnd: attributions.inlineAttributionEnd,
    inlineAttributionStart: attributions.inlineAttributionStart,
  },
  'quoting/classify-lines.ts': {
    buildSegments: (text) => buildSegments(parseText(text), classifyLines(parseText(text))),
    classifyLines: (text) => classifyLines(parseText(text)),
    joinLines: (text) => joinLines(parseText(text), 0, parseText(text).lines.length),
  },
  'quoting/client-markup.ts': {
    elementRole: (text) =>
      ['div', 'blockquote'].map((name) =>
        elementRole(name, { id: text, className: text, name: text, type: text, style: text, data: text }),
      ),
  },
  'quoting/closings.ts': {
    closingStrength,
  },
  'quoting/cut-html.ts': {
    cutHtml: (text) => cutHtml(text, parseHtml(text), classifyLines(parseHtml(text))),
    hasWrittenImage: (text) => hasWrittenImage(parseHtml(text), classifyLines(parseHtml(text))),
  },
  'quoting/footers.ts': {
    isAppFooter: footers.isAppFooter,
    isDisclaimer: footers.isDisclaimer,
    isDisclaimerHeading: footers.isDisclaimerHeading,
    isGatewayBanner: footers.isGatewayBanner,
    isListFooter: footers.isListFooter,
  },
  'quoting/html-elements.ts': {
    containsEndTag: ofTheParser,
    isClosedBy: ofTheParser,
  },
  'quoting/html-line-builder.ts': {
    addBlankLine: ofTheParser,
    addBlockBoundary: ofTheParser,
    addHorizontalRule: ofTheParser,
    addImage: ofTheParser,
    addLineBreak: ofTheParser,
    addLinkTarget: ofTheParser,
    addText: ofTheParser,
    createLineBuilder: ofTheParser,
  },
  'quoting/html-scopes.ts': {
    createScopeTracker: ofTheParser,
  },
  'quoting/languages.ts': {
    allWords: noText,
    alternatives: noText,
    wordPattern: noText,
    wordTest: (text) => {
      const { isIn, begins } = wordTest(['now', 'now and then', '今']);
      return [isIn(text), begins(text), isIn(`now and ${text}`)];
    },
  },
  'quoting/parse-html.ts': {
    parseHtml,
  },
  'quoting/parse-text.ts': {
    isQuotedLine: (text) => [isQuotedLine(`>${text}`, text), isQuotedLine(text, `<a@${text}`)],
    parseText,
  },
  'quoting/quote-headers.ts': {
    findQuoteHeader: (text) => atEachLine(text, (document, line) => findQuoteHeader(document, line, 0)),
    inlineDividerBreaks,
  },
  'quoting/signature-lines.ts': {
    announcesContact: lines.announcesContact,
    hasContact: lines.hasContact,
    isNameLike: (text) => lines.isNameLike(text, true),
    isRequest: lines.isRequest,
    isSentence: lines.isSentence,
    isSlogan: lines.isSlogan,
    isUnclear: lines.isUnclear,
  },
  'quoting/signature-rows.ts': {
    hasAnyContact: ofTheParser,
    hasContactRow: ofTheParser,
    isAfterthought: ofTheParser,
    isAppFooterRow: ofTheParser,
    isAuthorsSentence: ofTheParser,
    isDisclaimerAt: ofTheParser,
    isListFooterRow: ofTheParser,
    isProse: ofTheParser,
    isRuleRow: ofTheParser,
    isSignatureBlock: ofTheParser,
    isUnclearRow: ofTheParser,
    lastRows: ofTheParser,
    paragraphStart: ofTheParser,
    strengthOfRow: ofTheParser,
  },
  'quoting/signatures.ts': {
    findFooterAtEnd: (text) => findFooterAtEnd(parseText(text), 0, parseText(text).lines.length),
    findSignatures: (text) => findSignatures(parseText(text), 0, parseText(text).lines.length, true),
  },
  'quoting/strip.ts': {
    strip: (text) => strip({ text, html: text }),
    stripHtml,
    stripText,
  },
  'quoting/text-document.ts': {
    hasFlag: (text) => documents.hasFlag(parseText(text), 0, 1),
    isBlank: documents.isBlank,
    isHorizontalRule: documents.isHorizontalRule,
    lastVisibleCharacter: documents.lastVisibleCharacter,
    nextNonBlankLine: (text) => documents.nextNonBlankLine(parseText(text), 0, parseText(text).lines.length),
    normalizeLine: documents.normalizeLine,
    trimCharacters: (text) => documents.trimCharacters(text, '-*'),
  },
  'quoting/tokenize-html.ts': {
    tokenizeHtml: (text) =>
      tokenizeHtml(text, new Set(['id']), {
        open: () => undefined,
        close: () => undefined,
        text: () => undefined,
        isDone: () => false,
      }),
  },
};

function atEachLine(text: string, apply: (document: documents.TextDocument, line: number) => unknown): void {
  const document = parseText(text);
  for (let line = 0; line < document.lines.length; line++) apply(document, line);
}
