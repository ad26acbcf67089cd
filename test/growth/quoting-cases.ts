/** Growth cases of `lib/core/quoting`. */

import { tokenizeHtml } from '../../lib/mail/html/tokenize-html.ts';
import { answerMark, isPostscript } from '../../lib/mail/quoting/answer-lines.ts';
import * as attributions from '../../lib/mail/quoting/attributions.ts';
import {
  buildSegments,
  classifyLines,
  classifyWithAnswers,
  joinLines,
} from '../../lib/mail/quoting/classify-lines.ts';
import { elementRole } from '../../lib/mail/quoting/client-markup.ts';
import { closingStrength, isKoreanNameThenClosing } from '../../lib/mail/quoting/closings.ts';
import { findColoredAnswers } from '../../lib/mail/quoting/colored-answers.ts';
import { cutHtml, hasWrittenImage } from '../../lib/mail/quoting/cut-html.ts';
import * as footers from '../../lib/mail/quoting/footers.ts';
import { textStyle } from '../../lib/mail/quoting/html-styles.ts';
import { wordTest } from '../../lib/mail/quoting/languages.ts';
import { parseHtml } from '../../lib/mail/quoting/parse-html.ts';
import { isQuotedLine, parseText } from '../../lib/mail/quoting/parse-text.ts';
import { findQuoteHeader, inlineDividerBreaks } from '../../lib/mail/quoting/quote-headers.ts';
import * as lines from '../../lib/mail/quoting/signature-lines.ts';
import { findFooterAtEnd, findSignatures } from '../../lib/mail/quoting/signatures.ts';
import { strip, stripHtml, stripText } from '../../lib/mail/quoting/strip.ts';
import * as documents from '../../lib/mail/quoting/text-document.ts';
import { type GrowthCases, noText, ofTheParser } from './cases.ts';

export const quotingCases: GrowthCases = {
  'mail/quoting/answer-lines.ts': { answerMark, isPostscript },
  'mail/quoting/attributions.ts': {
    endsInAttributionVerb: attributions.endsInAttributionVerb,
    findAttributionStart: (text) =>
      atEachLine(text, (document, line) => attributions.findAttributionStart(document, line, 0)),
    inlineAttributionEnd: attributions.inlineAttributionEnd,
    inlineAttributionStart: attributions.inlineAttributionStart,
  },
  'mail/quoting/classify-lines.ts': {
    buildSegments: (text) => buildSegments(parseText(text), classifyLines(parseText(text))),
    classifyLines: (text) => classifyLines(parseText(text)),
    classifyWithAnswers: (text) => classifyWithAnswers(parseHtml(text)),
    joinLines: (text) => joinLines(parseText(text), 0, parseText(text).lines.length),
  },
  'mail/quoting/client-markup.ts': {
    elementRole: (text) =>
      ['div', 'blockquote'].map((name) =>
        elementRole(name, { id: text, className: text, name: text, type: text, style: text, data: text }),
      ),
  },
  'mail/quoting/closings.ts': {
    closingStrength,
    isKoreanNameThenClosing,
  },
  'mail/quoting/colored-answers.ts': {
    findColoredAnswers: (text) => {
      for (const html of [
        `<i style="color:red">${text}</i>`,
        text.replaceAll('a', '<p><b>[Al]</b><p>b?<p style=color:red>'),
      ]) {
        findColoredAnswers(parseHtml(html), () => true);
      }
    },
  },
  'mail/quoting/html-styles.ts': {
    isChromatic: noText,
    textStyle: (text) =>
      textStyle(
        'font',
        new Map([
          ['style', `color:${text}`],
          ['color', text],
        ]),
        0,
      ),
  },
  'mail/quoting/cut-html.ts': {
    cutHtml: (text) => cutHtml(text, parseHtml(text), classifyLines(parseHtml(text))),
    hasWrittenImage: (text) => hasWrittenImage(parseHtml(text), classifyLines(parseHtml(text))),
  },
  'mail/quoting/footers.ts': {
    isAppFooter: footers.isAppFooter,
    isDisclaimer: footers.isDisclaimer,
    isDisclaimerHeading: footers.isDisclaimerHeading,
    isBannerSequel: footers.isBannerSequel,
    isGatewayBanner: footers.isGatewayBanner,
    isGatewayMark: footers.isGatewayMark,
    mayHoldGatewayBanner: footers.mayHoldGatewayBanner,
    isRareSenderTip: (text) => footers.isRareSenderTip(text, text),
    isListFooter: footers.isListFooter,
    isRegistration: (text) => footers.isRegistration([text]),
  },
  'mail/html/html-elements.ts': {
    elementStack: ofTheParser,
    isClosedBy: ofTheParser,
  },
  'mail/quoting/html-line-builder.ts': {
    addBlankLine: ofTheParser,
    addBlockBoundary: ofTheParser,
    addHorizontalRule: ofTheParser,
    addImage: ofTheParser,
    addLineBreak: ofTheParser,
    addLinkTarget: ofTheParser,
    addText: ofTheParser,
    createLineBuilder: ofTheParser,
  },
  'mail/quoting/html-scopes.ts': {
    createScopeTracker: ofTheParser,
  },
  'mail/quoting/languages.ts': {
    allWords: noText,
    alternatives: noText,
    wordPattern: noText,
    wordTest: (text) => {
      const { isIn, begins } = wordTest(['now', 'now and then', '今']);
      return [isIn(text), begins(text), isIn(`now and ${text}`)];
    },
  },
  'mail/quoting/parse-html.ts': {
    parseHtml,
  },
  'mail/quoting/parse-text.ts': {
    isQuotedLine: (text) => [isQuotedLine(`>${text}`, text), isQuotedLine(text, `<a@${text}`)],
    parseText,
  },
  'mail/quoting/quote-headers.ts': {
    findQuoteHeader: (text) => atEachLine(text, (document, line) => findQuoteHeader(document, line, 0)),
    inlineDividerBreaks,
  },
  'mail/quoting/signature-lines.ts': {
    isCertainName: (text) => lines.isCertainName(text, true),
    mayBeSentence: lines.mayBeSentence,
    announcesContact: lines.announcesContact,
    hasContact: lines.hasContact,
    isNameLike: (text) => lines.isNameLike(text, true),
    isRequest: lines.isRequest,
    isSentence: lines.isSentence,
    isSlogan: lines.isSlogan,
    isUnclear: lines.isUnclear,
  },
  'mail/quoting/signature-rows.ts': {
    hasAnyContact: ofTheParser,
    hasContactRow: ofTheParser,
    isAfterthought: ofTheParser,
    isAnswer: ofTheParser,
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
  'mail/quoting/signatures.ts': {
    findFooterAtEnd: (text) => findFooterAtEnd(parseText(text), 0, parseText(text).lines.length),
    findSignatures: (text) => findSignatures(parseText(text), 0, parseText(text).lines.length, true),
  },
  'mail/quoting/strip.ts': {
    strip: (text) => strip({ text, html: text }),
    stripHtml,
    stripText,
  },
  'mail/quoting/text-document.ts': {
    hasFlag: (text) => documents.hasFlag(parseText(text), 0, 1),
    isBlank: documents.isBlank,
    isDirectionalMark: noText,
    isHorizontalRule: documents.isHorizontalRule,
    lastVisibleCharacter: documents.lastVisibleCharacter,
    nextNonBlankLine: (text) => documents.nextNonBlankLine(parseText(text), 0, parseText(text).lines.length),
    normalizeLine: documents.normalizeLine,
    trimCharacters: (text) => documents.trimCharacters(text, '-*'),
  },
  'mail/html/tokenize-html.ts': {
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
