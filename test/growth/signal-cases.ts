/** Growth cases of `lib/mail/signals`. */

import * as colors from '../../lib/mail/html/css-colors.ts';
import { skeletonOf } from '../../lib/mail/signals/confusables.ts';
import * as rules from '../../lib/mail/signals/css-rules.ts';
import { elementStyle } from '../../lib/mail/signals/element-styles.ts';
import { instructionsIn } from '../../lib/mail/signals/instructions.ts';
import { withoutInvisible } from '../../lib/mail/signals/invisible.ts';
import { linkSignals } from '../../lib/mail/signals/links.ts';
import { lookalikeOf, registeredDomain } from '../../lib/mail/signals/lookalike.ts';
import { readContent } from '../../lib/mail/signals/read-content.ts';
import { senderSignals } from '../../lib/mail/signals/sender.ts';
import { lettersOf, shownWords } from '../../lib/mail/signals/shown-words.ts';
import { quoted, signal } from '../../lib/mail/signals/signal.ts';
import { splitHtml } from '../../lib/mail/signals/split-html.ts';
import { type GrowthCases, noText } from './cases.ts';

const page = {
  color: colors.black,
  background: colors.white,
  fontPixels: 16,
  isInvisible: false,
  indentPixels: 0,
  hiddenBy: null,
};

export const signalCases: GrowthCases = {
  'mail/signals/confusables.ts': { skeletonOf },
  'mail/html/css-colors.ts': { parseColor: colors.parseColor, over: noText, contrast: noText },
  'mail/signals/css-rules.ts': {
    parseDeclarations: rules.parseDeclarations,
    parseRules: rules.parseRules,
    keysOf: noText,
    isMatch: noText,
  },
  'mail/signals/element-styles.ts': {
    elementStyle: (text) =>
      elementStyle(
        page,
        ['background', 'font', 'font-size', 'filter', 'transform', 'clip', 'clip-path'].map((property) => ({
          property,
          value: text,
          isImportant: false,
        })),
      ),
    hiddenByStyle: noText,
  },
  'mail/signals/instructions.ts': { instructionsIn },
  'mail/signals/invisible.ts': { withoutInvisible },
  'mail/signals/links.ts': {
    linkSignals: (text) => linkSignals([{ href: `https://${text}`, label: text }], text),
  },
  'mail/signals/lookalike.ts': {
    registeredDomain,
    lookalikeOf: (text) => lookalikeOf(text, [text.slice(1), 'example.com']),
  },
  'mail/signals/read-content.ts': {
    readContent: (text) => readContent({ from: { address: text }, subject: text, text, html: text }),
  },
  'mail/signals/sender.ts': {
    senderSignals: (text) =>
      senderSignals(
        {
          from: { name: text, address: `a@${text}` },
          replyTo: [{ name: null, address: text }],
          headers: [{ name: text, value: text }],
        },
        { ownDomains: [text], correspondents: [text], isFirstContact: true },
      ),
  },
  'mail/signals/shown-words.ts': { lettersOf, shownWords: (text) => shownWords(text).share(text) },
  'mail/signals/signal.ts': {
    quoted,
    signal: (text) => signal('hidden_text', 'html', text),
    boundedSignals: noText,
  },
  'mail/signals/split-html.ts': { splitHtml },
};
