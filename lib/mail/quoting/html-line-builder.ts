/** Owns the conversion of a stream of html texts and blocks into the lines that a reader sees. */

import { lineFlags, lineStyles } from './text-document.ts';

/** A range of the source that belongs to one line: text, a line break, an image. */
export interface SourceRange {
  readonly from: number;
  to: number;
  readonly line: number;
  /** Index of the enclosing element, -1 for none. */
  readonly element: number;
  /** False for white space, which does not make an element worth keeping. */
  readonly isSolid: boolean;
}

/** Offsets of a text or tag in the source, and its enclosing element. */
export interface NodePosition {
  readonly from: number;
  readonly to: number;
  readonly element: number;
  /** `lineStyles`; undefined for the label of a link, which has a color of its own. */
  readonly style: number | undefined;
}

/** Flags and scope of the current position, read when a line begins. */
export interface LineContext {
  readonly flags: () => number;
  readonly scope: () => number;
}

/** The lines built so far, and the line in progress. */
export interface LineBuilder {
  /** Lines as the rules read them. */
  readonly lines: string[];
  /** Lines with link targets. */
  readonly display: string[];
  readonly flags: number[];
  readonly scopes: number[];
  readonly styles: number[];
  readonly ranges: SourceRange[];
  readonly context: LineContext;
  /** The line in progress, as the rules read it. */
  text: string;
  /** The line in progress, with link targets. */
  displayText: string;
  /** Text that the next line begins with. */
  prefix: string;
  hasImage: boolean;
  /** Flags of the line in progress; -1 before it begins. */
  currentFlags: number;
  currentScope: number;
  /** Style of the line in progress; undefined before it has text. */
  currentStyle: number | undefined;
}

/** Ranges read per document. The longest newsletters have about ten thousand. */
export const rangesMax = 200_000;
/** Longer lines omit link targets: each comparison with the label costs the length of the line. */
const linkLineCharactersMax = 10_000;
const spaces = /[\t\n\f\r ]+/g;
const solid = /[^\t\n\f\r ]/;

export function createLineBuilder(context: LineContext): LineBuilder {
  return {
    lines: [],
    display: [],
    flags: [],
    scopes: [],
    styles: [],
    ranges: [],
    context,
    text: '',
    displayText: '',
    prefix: '',
    hasImage: false,
    currentFlags: -1,
    currentScope: 0,
    currentStyle: undefined,
  };
}

/** Adds decoded text. Preformatted text keeps its line breaks and spaces. */
export function addText(
  builder: LineBuilder,
  text: string,
  position: NodePosition,
  isPreformatted: boolean,
): void {
  if (!isPreformatted || !text.includes('\n')) {
    addInlineText(builder, text, position, isPreformatted);
    return;
  }
  for (let from = 0; from < text.length && builder.ranges.length < rangesMax; ) {
    const feed = text.indexOf('\n', from);
    const to = feed < 0 ? text.length : feed + 1;
    const line = text.slice(from, to).replace(/[\r\n]+$/, '');
    const linePosition = { ...position, from: position.from + from, to: position.from + to };
    addInlineText(builder, line, linePosition, true);
    if (feed >= 0) endLine(builder, true, true);
    from = to;
  }
}

/** `br`: ends the line, even an empty one. */
export function addLineBreak(builder: LineBuilder, position: NodePosition): void {
  addRange(builder, position, true);
  endLine(builder, true, false);
}

/** `hr`: a line of dashes. */
export function addHorizontalRule(builder: LineBuilder, position: NodePosition): void {
  endLine(builder, false, false);
  beginLine(builder);
  addRange(builder, position, true);
  builder.text = builder.displayText = '----------';
  endLine(builder, true, false);
}

export function addImage(builder: LineBuilder, position: NodePosition): void {
  beginLine(builder);
  addRange(builder, position, true);
  builder.hasImage = true;
}

/** A block begins or ends: ends the line in progress. */
export function addBlockBoundary(builder: LineBuilder, isPreformatted: boolean): void {
  endLine(builder, false, isPreformatted);
}

/** Adds a blank line, unless the last line is blank. */
export function addBlankLine(builder: LineBuilder): void {
  endLine(builder, true, false);
}

/** Adds the target of a link whose label begins at `from` of line `line`, unless the label shows it. */
export function addLinkTarget(builder: LineBuilder, href: string, line: number, from: number): void {
  const { displayText } = builder;
  if (line !== builder.lines.length || displayText === '' || displayText.length > linkLineCharactersMax)
    return;
  const label = displayText.slice(from).trim();
  if (!href.includes(label) || label.length < 4) builder.displayText += ` <${href}>`;
}

function addInlineText(
  builder: LineBuilder,
  text: string,
  position: NodePosition,
  isPreformatted: boolean,
): void {
  const isSolid = solid.test(text);
  if (isSolid) {
    beginLine(builder);
    const { style } = position;
    if (builder.currentStyle === undefined) builder.currentStyle = style;
    else if (style !== undefined && style !== builder.currentStyle) builder.currentStyle = lineStyles.mixed;
  }
  addRange(builder, position, isSolid);
  if (!isSolid && builder.text === '' && !isPreformatted) return;
  builder.text += text;
  builder.displayText += text;
}

function addRange(builder: LineBuilder, { from, to, element }: NodePosition, isSolid: boolean): void {
  const last = builder.ranges.at(-1);
  const line = builder.lines.length;
  if (last?.to === from && last.line === line && last.element === element && last.isSolid === isSolid) {
    last.to = to;
  } else builder.ranges.push({ from, to, line, element, isSolid });
}

function beginLine(builder: LineBuilder): void {
  if (builder.currentFlags >= 0) return;
  readContext(builder);
  builder.text = builder.displayText = builder.prefix;
  builder.prefix = '';
}

function readContext(builder: LineBuilder): void {
  builder.currentFlags = builder.context.flags();
  builder.currentScope = builder.context.scope();
}

function endLine(builder: LineBuilder, isForced: boolean, isPreformatted: boolean): void {
  const { text, displayText, lines } = builder;
  const line = isPreformatted ? text : text.replace(spaces, ' ').trim();
  const isEmpty = line === '' && !builder.hasImage;
  // Repeated blank lines, and those at the top, carry no information.
  if (!isEmpty || (isForced && lines.length > 0 && lines.at(-1) !== '')) {
    if (builder.currentFlags < 0) readContext(builder);
    builder.display.push(displayText === text ? line : displayText.replace(spaces, ' ').trim());
    lines.push(line);
    builder.flags.push(builder.hasImage ? builder.currentFlags | lineFlags.image : builder.currentFlags);
    builder.scopes.push(builder.currentScope);
    builder.styles.push(builder.currentStyle ?? 0);
  }
  builder.text = '';
  builder.displayText = '';
  builder.hasImage = false;
  builder.currentFlags = -1;
  builder.currentStyle = undefined;
}
