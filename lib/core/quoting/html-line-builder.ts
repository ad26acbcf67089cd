/** Gathers the text of html into the lines that a reader sees. */

import { marks as bits } from './lines.ts';

/** A stretch of the source that belongs to one line: text, a line break, a picture. */
export interface HtmlPiece {
  readonly from: number;
  to: number;
  readonly line: number;
  /** Index of the element around it, -1 for none. */
  readonly element: number;
  /** False for white space, which keeps no element alive. */
  readonly isSolid: boolean;
}

/** Where in the source a text stands, and in which element. */
export interface Place {
  readonly from: number;
  readonly to: number;
  readonly element: number;
}

export interface GatheredLines {
  /** As the rules read them. */
  readonly lines: string[];
  /** With the targets of links. */
  readonly shown: string[];
  readonly marks: number[];
  readonly scopes: number[];
  readonly pieces: HtmlPiece[];
}

export interface LineGatherer extends GatheredLines {
  readonly text: (text: string, place: Place, isPreformatted: boolean) => void;
  /** `br`: the line ends here, even if it is empty. */
  readonly lineBreak: (place: Place) => void;
  readonly rule: (place: Place) => void;
  readonly picture: (place: Place) => void;
  /** A block begins or ends: what stands in front of it is a line of its own. */
  readonly block: (isPreformatted: boolean) => void;
  /** A blank line, unless there is one already. */
  readonly gap: () => void;
  /** What the next text is to begin with: the bullet of a list item. */
  readonly bullet: (prefix: string) => void;
  /** Text that only readers see: the target of a link whose text began at `from` of line `line`. */
  readonly target: (href: string, line: number, from: number) => void;
  /** Characters shown so far in the line under way. */
  readonly length: () => number;
}

/** So many pieces are read: the longest newsletters have some ten thousand. */
export const piecesMax = 200_000;
/** In longer lines, targets of links are left out: each look back costs the length of the line. */
const targetReach = 10_000;
const spaces = /[\t\n\f\r ]+/g;
const solid = /[^\t\n\f\r ]/;

/** Lines take their marks and scope from `around`, asked where their text begins. */
export function lineGatherer(around: { marks: () => number; scope: () => number }): LineGatherer {
  const gathered: GatheredLines = { lines: [], shown: [], marks: [], scopes: [], pieces: [] };
  const { lines, shown, pieces } = gathered;
  let text = '';
  let seen = '';
  let prefix = '';
  let hasPicture = false;
  let marks = -1;
  let scope = 0;

  function locate(): void {
    marks = around.marks();
    scope = around.scope();
  }

  /** Something to be seen begins a line, if none is under way. */
  function begin(): void {
    if (marks >= 0) return;
    locate();
    text = prefix;
    seen = prefix;
    prefix = '';
  }

  function piece({ from, to, element }: Place, isSolid: boolean): void {
    const last = pieces.at(-1);
    if (
      last?.to === from &&
      last.line === lines.length &&
      last.element === element &&
      last.isSolid === isSolid
    ) {
      last.to = to;
    } else pieces.push({ from, to, line: lines.length, element, isSolid });
  }

  function end(isForced: boolean, isPreformatted: boolean): void {
    const line = isPreformatted ? text : text.replace(spaces, ' ').trim();
    const isEmpty = line === '' && !hasPicture;
    // One blank line is as good as many, and none is needed at the top.
    if (!isEmpty || (isForced && lines.length > 0 && lines.at(-1) !== '')) {
      if (marks < 0) locate();
      shown.push(seen === text ? line : seen.replace(spaces, ' ').trim());
      lines.push(line);
      gathered.marks.push(hasPicture ? marks | bits.picture : marks);
      gathered.scopes.push(scope);
    }
    text = '';
    seen = '';
    hasPicture = false;
    marks = -1;
  }

  function addText(part: string, place: Place, isPreformatted: boolean): void {
    const isSolid = solid.test(part);
    if (isSolid) begin();
    piece(place, isSolid);
    if (!isSolid && text === '' && !isPreformatted) return;
    text += part;
    seen += part;
  }

  function addLines(part: string, place: Place, isPreformatted: boolean): void {
    if (!isPreformatted || !part.includes('\n')) {
      addText(part, place, isPreformatted);
      return;
    }
    for (let from = 0; from < part.length && pieces.length < piecesMax; ) {
      const feed = part.indexOf('\n', from);
      const to = feed < 0 ? part.length : feed + 1;
      const line = part.slice(from, to).replace(/[\r\n]+$/, '');
      addText(line, { ...place, from: place.from + from, to: place.from + to }, true);
      if (feed >= 0) end(true, true);
      from = to;
    }
  }

  return {
    ...gathered,
    text: addLines,
    lineBreak: (place) => {
      piece(place, true);
      end(true, false);
    },
    rule: (place) => {
      end(false, false);
      begin();
      piece(place, true);
      text = seen = '----------';
      end(true, false);
    },
    picture: (place) => {
      begin();
      piece(place, true);
      hasPicture = true;
    },
    block: (isPreformatted) => end(false, isPreformatted),
    gap: () => end(true, false),
    bullet: (next) => {
      prefix = next;
    },
    target: (href, line, from) => {
      if (line !== lines.length || seen === '' || seen.length > targetReach) return;
      const label = seen.slice(from).trim();
      if (!href.includes(label) || label.length < 4) seen += ` <${href}>`;
    },
    length: () => seen.length,
  };
}
