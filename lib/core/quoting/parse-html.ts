/** Html as a page: the lines a reader sees, and which places of the source each of them comes from. */
import { type GatheredLines, lineGatherer, piecesMax } from './html-lines.ts';
import { type ElementRole, type MarkerAttributes, roleOf } from './html-markers.ts';
import { apartNames, blockNames, bounds, hiddenNames, isClosedBy, voidNames } from './html-names.ts';
import { roleTracker } from './html-roles.ts';
import { readTokens } from './html-tokens.ts';
import { marks, type Page } from './lines.ts';
import { isCited } from './read-text.ts';

/** An element of the source. */
export interface HtmlElement {
  readonly name: string;
  /** Index of the element around it, -1 for none. */
  readonly parent: number;
  readonly from: number;
  /** The place after its end tag, or where something else ended it. */
  to: number;
}

export interface HtmlPage extends Page, Pick<GatheredLines, 'pieces'> {
  /** In the order of their start tags. */
  readonly elements: readonly HtmlElement[];
  /** False where the html has more parts than are read: then only its beginning is here. */
  readonly isWhole: boolean;
}

interface Open {
  readonly element: number;
  readonly name: string;
  readonly role: ElementRole | null;
  readonly isPreformatted: boolean;
  readonly isApart: boolean;
  /** Of an anchor: its target, and where its text begins. */
  readonly anchor: { readonly href: string; readonly line: number; readonly from: number } | null;
  /** Of a list: how many items it has had. */
  items: number;
}

const dataNames = ['data-marker', 'data-smartmail', 'data-signatureblock'];
const attributeNames = new Set(['id', 'class', 'type', 'style', 'href', 'width', 'height', ...dataNames]);
/** So many elements are read; what has more was written to take up memory. */
const elementsMax = 200_000;
/** Likewise stretches of text between tags and entities, which may be one to a letter. */
const textsMax = 1_000_000;
/** The element that an end tag belongs to is looked for no further out than this. */
const nearbyMax = 200;
const hrefCharactersMax = 1000;
const noMarkers: MarkerAttributes = { id: '', className: '', type: '', style: '', data: '' };
const preformatted = /white-space\s*:\s*(?:-moz-)?pre/i;
const wordClass = /(?:^|\s)Mso/;

/** Reads html of any quality. No tree is built, and the stack is searched only for names that are on it: linear. */
export function readHtml(html: string): HtmlPage {
  const roles = roleTracker();
  const gather = lineGatherer({ marks: roles.marksHere, scope: roles.scopeHere });
  const elements: HtmlElement[] = [];
  const stack: Open[] = [];
  const openNames = new Map<string, number>();
  let hidden = 0;
  let preformattedDepth = 0;
  let texts = 0;

  function place(from: number, to: number) {
    return { from, to, element: stack.at(-1)?.element ?? -1 };
  }

  function open(name: string, attributes: ReadonlyMap<string, string>, from: number, to: number): void {
    for (let top = stack.at(-1); top !== undefined && isClosedBy(top.name, name); top = stack.at(-1))
      closeTop(from);
    if (hidden > 0 && !hiddenNames.has(name)) return;
    if (name === 'br') gather.lineBreak(place(from, to));
    if (name === 'hr') gather.rule(place(from, to));
    if (name === 'img' && !isTracker(attributes)) gather.picture(place(from, to));
    if (voidNames.has(name)) return;
    const isApart = apartNames.has(name) && !wordClass.test(attributes.get('class') ?? '');
    if (blockNames.has(name)) gather.block(preformattedDepth > 0);
    else if (name === 'td' || name === 'th') gather.text(' ', place(to, to), false);
    if (isApart) gather.gap();
    const parent = stack.at(-1);
    if (name === 'li') gather.bullet(parent?.name === 'ol' ? `${++parent.items}. ` : '- ');
    const style = attributes.get('style');
    const isPreformatted = name === 'pre' || (style !== undefined && preformatted.test(style));
    const href = name === 'a' ? (attributes.get('href') ?? '') : '';
    elements.push({ name, parent: parent?.element ?? -1, from, to });
    stack.push({
      element: elements.length - 1,
      name,
      role: roles.enter(roleOf(name, attributes.size === 0 ? noMarkers : markerAttributes(attributes))),
      isPreformatted,
      isApart,
      anchor: isShownTarget(href) ? { href, line: gather.lines.length, from: gather.length() } : null,
      items: 0,
    });
    openNames.set(name, (openNames.get(name) ?? 0) + 1);
    if (hiddenNames.has(name)) hidden++;
    if (isPreformatted) preformattedDepth++;
  }

  function closeTop(at: number): void {
    const top = stack.at(-1);
    if (top === undefined) return;
    if (top.anchor !== null) gather.target(top.anchor.href, top.anchor.line, top.anchor.from);
    if (blockNames.has(top.name)) gather.block(preformattedDepth > 0);
    roles.leave(top.role, gather.lines.length);
    if (top.isApart) gather.gap();
    const element = elements[top.element];
    if (element !== undefined) element.to = at;
    stack.pop();
    openNames.set(top.name, (openNames.get(top.name) ?? 1) - 1);
    if (hiddenNames.has(top.name)) hidden--;
    if (top.isPreformatted) preformattedDepth--;
  }

  function close(name: string, from: number, to: number): void {
    if ((openNames.get(name) ?? 0) === 0 || !isOpenNearby(name)) return;
    while (stack.length > 0 && stack.at(-1)?.name !== name) closeTop(from);
    closeTop(to);
  }

  /** An end tag of text formatting closes no block around it, that of a block no cell, that of a cell no table. */
  function isOpenNearby(name: string): boolean {
    for (let index = stack.length - 1; index >= 0 && index >= stack.length - nearbyMax; index--) {
      const found = stack[index]?.name ?? '';
      if (found === name) return true;
      if (bounds(found, name)) return false;
    }
    return false;
  }

  function isDone(): boolean {
    return elements.length >= elementsMax || gather.pieces.length >= piecesMax || texts >= textsMax;
  }

  readTokens(html, attributeNames, {
    open,
    close,
    text: (text, from, to) => {
      texts++;
      if (hidden === 0) gather.text(text, place(from, to), preformattedDepth > 0);
    },
    isDone,
  });
  const isWhole = !isDone();
  while (stack.length > 0) closeTop(html.length);
  gather.block(false);

  const count = gather.lines.length;
  return {
    lines: gather.lines,
    shown: gather.shown,
    marks: Uint8Array.from(gather.marks, (mark, line) =>
      isCited(gather.lines[line] ?? '', gather.lines[line - 1] ?? '') ? mark | marks.cited : mark,
    ),
    scopeEnd: (line) => {
      const end = roles.scopeEnd(gather.scopes[line] ?? 0);
      return end < 0 ? count : end;
    },
    pieces: gather.pieces,
    elements,
    isWhole,
  };
}

/** A picture nobody sees. */
function isTracker(attributes: ReadonlyMap<string, string>): boolean {
  return [attributes.get('width'), attributes.get('height')].some((size) =>
    /^\s*[01](?:px)?\s*$/.test(size ?? ''),
  );
}

function isShownTarget(href: string): boolean {
  return href.length <= hrefCharactersMax && /^https?:/i.test(href);
}

function markerAttributes(attributes: ReadonlyMap<string, string>): MarkerAttributes {
  return {
    id: attributes.get('id') ?? '',
    className: attributes.get('class') ?? '',
    type: attributes.get('type') ?? '',
    style: attributes.get('style') ?? '',
    data: dataNames
      .filter((name) => attributes.has(name))
      .map((name) => `${name} ${attributes.get(name)}`)
      .join(' '),
  };
}
