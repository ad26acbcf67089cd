/** Owns which html elements break lines, are hidden or void, and close each other. */

/** Elements that begin and end a line. */
export const blockElements: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
);

/** Blocks with a blank line before and after them. */
export const paragraphElements: ReadonlySet<string> = new Set(
  'blockquote dl h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '),
);

/** Elements without content or end tag. */
export const voidElements: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements whose text is not displayed. */
export const hiddenElements: ReadonlySet<string> = new Set('noscript script style template title'.split(' '));

const tableElements: ReadonlySet<string> = new Set('table tbody td tfoot th thead tr'.split(' '));

const implicitlyClosedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['p', blockElements],
  ['li', new Set(['li'])],
  ['dt', new Set(['dt', 'dd'])],
  ['dd', new Set(['dt', 'dd'])],
  ['td', new Set(['td', 'th', 'tr', 'tbody', 'tfoot', 'thead'])],
  ['th', new Set(['td', 'th', 'tr', 'tbody', 'tfoot', 'thead'])],
  ['tr', new Set(['tr', 'tbody', 'tfoot', 'thead'])],
]);

/** True if the start of element `next` ends the open element, whose end tag is optional. */
export function isClosedBy(open: string, next: string): boolean {
  return implicitlyClosedBy.get(open)?.has(next) === true;
}

/** True if an end tag `</name>` inside the open element ends nothing outside of it. */
export function containsEndTag(open: string, name: string): boolean {
  if (open === 'table') return true;
  if (open === 'td' || open === 'th') return !tableElements.has(name);
  return blockElements.has(open) && !blockElements.has(name) && !tableElements.has(name);
}
