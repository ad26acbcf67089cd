/** Owns the parsing of html into a text document that knows the source ranges of each line. */

import {
  blockElements,
  type ElementStack,
  elementStack,
  hiddenElements,
  isClosedBy,
  paragraphElements,
  voidElements,
} from '../html/html-elements.ts';
import { tokenizeHtml } from '../html/tokenize-html.ts';
import { type ElementRole, elementRole, type MarkerAttributes } from './client-markup.ts';
import * as lineBuilder from './html-line-builder.ts';
import { createScopeTracker, type ScopeTracker } from './html-scopes.ts';
import { textStyle } from './html-styles.ts';
import { isQuotedLine } from './parse-text.ts';
import { lineFlags, type TextDocument } from './text-document.ts';

/** An element of the source. */
export interface HtmlElement {
  readonly name: string;
  /** Index of the enclosing element, -1 for none. */
  readonly parent: number;
  readonly from: number;
  /** The offset after its end tag, or where something else ended it. */
  to: number;
}

export interface HtmlDocument extends TextDocument {
  /** In source order. */
  readonly ranges: readonly lineBuilder.SourceRange[];
  /** In the order of their start tags. */
  readonly elements: readonly HtmlElement[];
  /** False if the html exceeds the limits: then only its beginning is here. */
  readonly isComplete: boolean;
}

interface OpenElement {
  /** Index into the elements of the document. */
  readonly index: number;
  readonly name: string;
  readonly role: ElementRole | null;
  readonly isPreformatted: boolean;
  readonly isParagraph: boolean;
  /** See `lineStyles`. */
  readonly style: number | undefined;
  /** Of an anchor with a target: where its label begins. */
  readonly link: { readonly href: string; readonly line: number; readonly from: number } | null;
  /** Of a list: its items so far. */
  itemCount: number;
}

interface ParserState {
  readonly builder: lineBuilder.LineBuilder;
  readonly scopes: ScopeTracker;
  readonly elements: HtmlElement[];
  readonly stack: ElementStack<OpenElement>;
  hiddenDepth: number;
  preformattedDepth: number;
  textCount: number;
}

/** Of a tag in the source. */
type SourceSpan = Pick<lineBuilder.NodePosition, 'from' | 'to'>;
type Attributes = ReadonlyMap<string, string>;

const dataAttributes = ['data-marker', 'data-smartmail', 'data-signatureblock'];
const attributeNames = new Set([
  'id',
  'class',
  'name',
  'type',
  'style',
  'color',
  'href',
  'width',
  'height',
  ...dataAttributes,
]);
/** Limits memory; no client writes this many. */
const elementsMax = 200_000;
/** Texts between tags and entities, which can be one for each character. */
const textsMax = 1_000_000;
const hrefCharactersMax = 1000;
const noMarkers: MarkerAttributes = { id: '', className: '', name: '', type: '', style: '', data: '' };
const preformattedStyle = /white-space\s*:\s*(?:-moz-)?pre/i;
const wordClass = /(?:^|\s)Mso/;

/**
 * Parses html of any quality. Never throws. Linear in its length: no tree is built, and the stack is searched only for
 * names that are on it.
 */
export function parseHtml(html: string): HtmlDocument {
  const scopes = createScopeTracker();
  const state: ParserState = {
    builder: lineBuilder.createLineBuilder(scopes),
    scopes,
    elements: [],
    stack: elementStack(),
    hiddenDepth: 0,
    preformattedDepth: 0,
    textCount: 0,
  };
  tokenizeHtml(html, attributeNames, {
    open: (name, attributes, from, to) => openElement(state, name, attributes, { from, to }),
    close: (name, from, to) => closeElement(state, name, from, to),
    text: (text, from, to) => {
      state.textCount++;
      if (state.hiddenDepth > 0) return;
      lineBuilder.addText(state.builder, text, positionOf(state, from, to), state.preformattedDepth > 0);
    },
    isDone: () => isAtLimit(state),
  });
  const isComplete = !isAtLimit(state);
  while (state.stack.elements.length > 0) closeInnermost(state, html.length);
  lineBuilder.addBlockBoundary(state.builder, false);
  return toDocument(state, isComplete);
}

function toDocument({ builder, scopes, elements }: ParserState, isComplete: boolean): HtmlDocument {
  const { lines, display, ranges, styles } = builder;
  return {
    lines,
    display,
    flags: Uint8Array.from(builder.flags, (flags, line) =>
      isQuotedLine(lines[line] ?? '', lines[line - 1] ?? '') ? flags | lineFlags.quoted : flags,
    ),
    scopeEnd: (line) => {
      const end = scopes.scopeEnd(builder.scopes[line] ?? 0);
      return end < 0 ? lines.length : end;
    },
    styles,
    ranges,
    elements,
    isComplete,
  };
}

function isAtLimit({ elements, builder, textCount }: ParserState): boolean {
  return (
    elements.length >= elementsMax || builder.ranges.length >= lineBuilder.rangesMax || textCount >= textsMax
  );
}

function positionOf({ stack }: ParserState, from: number, to: number): lineBuilder.NodePosition {
  const top = stack.elements.at(-1);
  return { from, to, element: top?.index ?? -1, style: top === undefined ? 0 : top.style };
}

function openElement(
  state: ParserState,
  name: string,
  attributes: Attributes,
  { from, to }: SourceSpan,
): void {
  const { elements } = state.stack;
  for (let top = elements.at(-1); top && isClosedBy(top.name, name); top = elements.at(-1))
    closeInnermost(state, from);
  if (state.hiddenDepth > 0 && !hiddenElements.has(name)) return;
  if (voidElements.has(name)) addVoidElement(state, name, attributes, positionOf(state, from, to));
  else pushElement(state, name, attributes, { from, to });
}

function addVoidElement(
  { builder }: ParserState,
  name: string,
  attributes: Attributes,
  position: lineBuilder.NodePosition,
): void {
  if (name === 'br') lineBuilder.addLineBreak(builder, position);
  else if (name === 'hr') lineBuilder.addHorizontalRule(builder, position);
  else if (name === 'img' && !isTrackingPixel(attributes)) lineBuilder.addImage(builder, position);
}

function pushElement(
  state: ParserState,
  name: string,
  attributes: Attributes,
  { from, to }: SourceSpan,
): void {
  const { builder, elements, stack } = state;
  const parent = stack.elements.at(-1);
  // Paragraphs of Word have no margin.
  const isParagraph = paragraphElements.has(name) && !wordClass.test(attributes.get('class') ?? '');
  if (blockElements.has(name)) lineBuilder.addBlockBoundary(builder, state.preformattedDepth > 0);
  else if (name === 'td' || name === 'th')
    lineBuilder.addText(builder, ' ', positionOf(state, to, to), false);
  if (isParagraph) lineBuilder.addBlankLine(builder);
  if (name === 'li') builder.prefix = parent?.name === 'ol' ? `${++parent.itemCount}. ` : '- ';
  const style = attributes.get('style');
  const isPreformatted = name === 'pre' || (style !== undefined && preformattedStyle.test(style));
  const href = name === 'a' ? (attributes.get('href') ?? '') : '';
  elements.push({ name, parent: parent?.index ?? -1, from, to });
  stack.push({
    index: elements.length - 1,
    name,
    role: state.scopes.enter(
      elementRole(name, attributes.size === 0 ? noMarkers : markerAttributes(attributes)),
    ),
    isPreformatted,
    isParagraph,
    style: textStyle(name, attributes, parent === undefined ? 0 : parent.style),
    link: isDisplayedTarget(href)
      ? { href, line: builder.lines.length, from: builder.displayText.length }
      : null,
    itemCount: 0,
  });
  if (hiddenElements.has(name)) state.hiddenDepth++;
  if (isPreformatted) state.preformattedDepth++;
}

function closeInnermost(state: ParserState, offset: number): void {
  const { builder, elements, stack } = state;
  const top = stack.pop();
  if (top === undefined) return;
  if (top.link !== null) lineBuilder.addLinkTarget(builder, top.link.href, top.link.line, top.link.from);
  if (blockElements.has(top.name)) lineBuilder.addBlockBoundary(builder, state.preformattedDepth > 0);
  state.scopes.leave(top.role, builder.lines.length);
  if (top.isParagraph) lineBuilder.addBlankLine(builder);
  const element = elements[top.index];
  if (element !== undefined) element.to = offset;
  if (hiddenElements.has(top.name)) state.hiddenDepth--;
  if (top.isPreformatted) state.preformattedDepth--;
}

function closeElement(state: ParserState, name: string, from: number, to: number): void {
  const { elements, endedBy } = state.stack;
  const ended = endedBy(name);
  if (ended < 0) return;
  while (elements.length > ended + 1) closeInnermost(state, from);
  closeInnermost(state, to);
}

function isTrackingPixel(attributes: Attributes): boolean {
  return [attributes.get('width'), attributes.get('height')].some((size) =>
    /^\s*[01](?:px)?\s*$/.test(size ?? ''),
  );
}

function isDisplayedTarget(href: string): boolean {
  return href.length <= hrefCharactersMax && /^https?:/i.test(href);
}

function markerAttributes(attributes: Attributes): MarkerAttributes {
  return {
    id: attributes.get('id') ?? '',
    className: attributes.get('class') ?? '',
    name: attributes.get('name') ?? '',
    type: attributes.get('type') ?? '',
    style: attributes.get('style') ?? '',
    data: dataAttributes
      .filter((name) => attributes.has(name))
      .map((name) => `${name} ${attributes.get(name)}`)
      .join(' '),
  };
}
