/** The parts of html that a person sees, and the texts that are hidden from view. No tree is built; linear in the html. */
import { black, white } from '../html/css-colors.ts';
import {
  blockElements,
  type ElementStack,
  elementStack,
  hiddenElements,
  isClosedBy,
  voidElements,
} from '../html/html-elements.ts';
import { tokenizeHtml } from '../html/tokenize-html.ts';
import {
  type Declaration,
  isMatch,
  keysOf,
  parseDeclarations,
  parseRules,
  type RuleIndex,
  type Selected,
  type StyleRule,
} from './css-rules.ts';
import { type ElementStyle, elementStyle, type HiddenBy, hiddenByStyle } from './element-styles.ts';

export interface HiddenText {
  readonly text: string;
  readonly by: HiddenBy;
  /** Nothing that is seen comes before it. */
  readonly isFirst: boolean;
}

export interface Link {
  readonly href: string;
  /** What a person sees of it. */
  readonly label: string;
}

export interface SplitHtml {
  /** The html without the hidden parts; the rest is unchanged, byte for byte. */
  readonly visible: string;
  readonly hidden: readonly HiddenText[];
  readonly links: readonly Link[];
  /** What a person sees, roughly in lines; its beginning. */
  readonly shown: string;
}

const attributeNames = new Set([
  'style',
  'class',
  'id',
  'hidden',
  'bgcolor',
  'background',
  'color',
  'text',
  'href',
  'type',
]);
/** Rules compared with elements, in all: bounds the time of hostile style sheets. */
const comparisonsMax = 2_000_000;
const hiddenMax = 200;
const linksMax = 500;
const labelCharactersMax = 300;
const shownCharactersMax = 500_000;

interface OpenElement extends Selected {
  readonly style: ElementStyle;
}

interface Splitter {
  readonly rules: RuleIndex;
  readonly stack: ElementStack<OpenElement>;
  comparisons: number;
  /** Offsets of the parts to cut: begin and end in turn. */
  readonly cuts: number[];
  readonly hidden: { parts: string[]; by: HiddenBy; isFirst: boolean }[];
  isInHidden: boolean;
  hasVisible: boolean;
  readonly links: { href: string; label: string }[];
  link: { href: string; label: string } | null;
  readonly shown: string[];
  shownCharacters: number;
}

const page: ElementStyle = {
  color: black,
  background: white,
  fontPixels: 16,
  isInvisible: false,
  indentPixels: 0,
  hiddenBy: null,
};

/** Splits html. Never throws. */
export function splitHtml(html: string): SplitHtml {
  const splitter: Splitter = {
    rules: parseRules(styleSheets(html)),
    stack: elementStack(),
    comparisons: 0,
    cuts: [],
    hidden: [],
    isInHidden: false,
    hasVisible: false,
    links: [],
    link: null,
    shown: [],
    shownCharacters: 0,
  };
  tokenizeHtml(html, attributeNames, {
    open: (name, attributes, from, to) => openElement(splitter, { name, attributes, from, to }),
    close: (name, from, to) => closeElement(splitter, name, from, to),
    text: (text, from, to) => addText(splitter, text, from, to),
    isDone: () => false,
  });
  const hidden = splitter.hidden.flatMap(({ parts, by, isFirst }) => {
    const text = parts
      .join('')
      .replace(/[^\S\n]+/g, ' ')
      .replace(/ ?\n[ \n]*/g, '\n')
      .trim();
    return text === '' ? [] : [{ text, by, isFirst }];
  });
  return {
    visible: withoutCuts(html, splitter.cuts),
    hidden,
    links: splitter.links,
    shown: splitter.shown.join(''),
  };
}

function styleSheets(html: string): string {
  if (!/<style/i.test(html)) return '';
  const sheets: string[] = [];
  let isStyle = false;
  tokenizeHtml(html, new Set(['media']), {
    open: (name, attributes) => {
      const media = attributes.get('media') ?? '';
      isStyle =
        name === 'style' && (media === '' || /\b(?:all|screen)\b/i.test(media)) && !media.includes('(');
    },
    close: () => {
      isStyle = false;
    },
    text: (text) => {
      if (isStyle) sheets.push(text);
    },
    isDone: () => false,
  });
  return sheets.join('');
}

interface StartTag {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  readonly from: number;
  readonly to: number;
}

function openElement(splitter: Splitter, tag: StartTag): void {
  const { elements, push, pop } = splitter.stack;
  const { name, attributes, from, to } = tag;
  for (let top = elements.at(-1); top && isClosedBy(top.name, name); top = elements.at(-1)) pop();
  const outer = elements.at(-1)?.style ?? page;
  const element: Selected = {
    name,
    id: attributes.get('id') ?? null,
    classes: (attributes.get('class') ?? '').split(/\s+/, 20).filter((one) => one !== ''),
  };
  const style = elementStyle(outer, declarationsOf(splitter, element, attributes));
  if (isCutTag(name, style)) cut(splitter, from, to);
  else if (name === 'input' || name === 'textarea') splitter.hasVisible = true;
  if (blockElements.has(name) || name === 'br' || name === 'td') breakLine(splitter);
  if (voidElements.has(name)) return;
  push({ ...element, style });
  if (name === 'a') startLink(splitter, attributes.get('href'), style);
}

/** Tags that write something into the text by themselves, and all inside of what is not displayed. */
function isCutTag(name: string, style: ElementStyle): boolean {
  return style.hiddenBy !== null || (/^(?:a|input|textarea|hr)$/.test(name) && hiddenByStyle(style) !== null);
}

function startLink(splitter: Splitter, href: string | undefined, style: ElementStyle): void {
  if (href === undefined || splitter.links.length >= linksMax || hiddenByStyle(style) !== null) return;
  splitter.link = { href, label: '' };
  splitter.links.push(splitter.link);
}

function closeElement(splitter: Splitter, name: string, from: number, to: number): void {
  const { elements, endedBy, pop } = splitter.stack;
  if (name === 'a') splitter.link = null;
  if (blockElements.has(name)) breakLine(splitter);
  const ended = endedBy(name);
  const open = elements[ended];
  if (open && isCutTag(name, open.style)) cut(splitter, from, to);
  if (open) while (elements.length > ended) pop();
}

function addText(splitter: Splitter, text: string, from: number, to: number): void {
  const top = splitter.stack.elements.at(-1);
  if (top && hiddenElements.has(top.name)) return;
  const by = hiddenByStyle(top?.style ?? page);
  const isBlank = /^\s*$/.test(text);
  if (by === null) {
    if (splitter.link) {
      const { link } = splitter;
      if (link.label.length < labelCharactersMax) link.label += text.slice(0, labelCharactersMax);
    }
    if (splitter.shownCharacters < shownCharactersMax) splitter.shown.push(text);
    splitter.shownCharacters += text.length;
    if (isBlank) return;
    splitter.isInHidden = false;
    splitter.hasVisible = true;
    return;
  }
  cut(splitter, from, to);
  const { hidden } = splitter;
  if (!splitter.isInHidden) {
    if (isBlank || hidden.length >= hiddenMax) return;
    hidden.push({ parts: [], by, isFirst: !splitter.hasVisible });
    splitter.isInHidden = true;
  }
  hidden.at(-1)?.parts.push(text);
}

function breakLine({ isInHidden, hidden, shown }: Splitter): void {
  if (isInHidden) hidden.at(-1)?.parts.push('\n');
  else if (shown.at(-1) !== '\n') shown.push('\n');
}

/** Parts are cut in order; those that touch are one. */
function cut({ cuts }: Splitter, from: number, to: number): void {
  if (cuts.at(-1) === from) cuts[cuts.length - 1] = to;
  else cuts.push(from, to);
}

function withoutCuts(html: string, cuts: readonly number[]): string {
  if (cuts.length === 0) return html;
  const kept: string[] = [];
  let at = 0;
  for (let index = 0; index < cuts.length; index += 2) {
    kept.push(html.slice(at, cuts[index]));
    at = Math.max(at, cuts[index + 1] ?? at);
  }
  kept.push(html.slice(at));
  return kept.join('');
}

/** The declarations of an element, those that count less first (CSS Cascading and Inheritance Level 4, 6.1). */
function declarationsOf(
  splitter: Splitter,
  element: Selected,
  attributes: ReadonlyMap<string, string>,
): Declaration[] {
  const inline = attributes.get('style');
  const own = inline === undefined ? [] : parseDeclarations(inline);
  const matched = splitter.rules.size === 0 ? [] : rulesFor(splitter, element);
  const sheet = matched.flatMap(({ declarations }) => declarations);
  const ordered = [...ofAttributes(element.name, attributes), ...sheet, ...own];
  if (!ordered.some(({ isImportant }) => isImportant)) return ordered;
  return [...ordered.filter((one) => !one.isImportant), ...ordered.filter((one) => one.isImportant)];
}

function ofAttributes(name: string, attributes: ReadonlyMap<string, string>): Declaration[] {
  if (attributes.size === 0) return [];
  const given = (property: string, value: string | undefined) =>
    value === undefined ? [] : [{ property, value: value.toLowerCase(), isImportant: false }];
  return [
    ...given('background-color', attributes.get('bgcolor')),
    ...(attributes.has('background') ? given('background', 'url()') : []),
    ...(name === 'font' ? given('color', attributes.get('color')) : []),
    ...(name === 'body' ? given('color', attributes.get('text')) : []),
    ...(attributes.has('hidden') ? given('display', 'none') : []),
  ];
}

function rulesFor(splitter: Splitter, element: Selected): StyleRule[] {
  const found: StyleRule[] = [];
  for (const key of keysOf(element)) {
    for (const rule of splitter.rules.get(key) ?? []) {
      if (splitter.comparisons++ > comparisonsMax) return [];
      if (isMatch(rule.subject, element) && isInside(splitter, rule)) found.push(rule);
    }
  }
  return found.sort((one, other) => one.specificity - other.specificity);
}

function isInside(splitter: Splitter, { ancestors }: StyleRule): boolean {
  let at = splitter.stack.elements.length - 1;
  for (const compound of ancestors) {
    for (; ; at--) {
      const open = splitter.stack.elements[at];
      splitter.comparisons++;
      if (open === undefined) return false;
      if (isMatch(compound, open)) break;
    }
    at--;
  }
  return true;
}
