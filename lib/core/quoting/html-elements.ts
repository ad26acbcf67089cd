/** What the elements of html do to lines of text. */

/** Elements that begin and end a line. */
export const blockNames: ReadonlySet<string> = new Set(
  (
    'address article aside blockquote body center dd details dialog dir div dl dt fieldset figcaption figure footer ' +
    'form h1 h2 h3 h4 h5 h6 header hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
);

/** Blocks with a blank line before and after them. */
export const apartNames: ReadonlySet<string> = new Set(
  'blockquote dl h1 h2 h3 h4 h5 h6 ol p pre table ul'.split(' '),
);

export const voidNames: ReadonlySet<string> = new Set(
  'area base basefont bgsound br col embed frame hr img input keygen link meta param source track wbr'.split(
    ' ',
  ),
);

/** Elements whose text is not shown. */
export const hiddenNames: ReadonlySet<string> = new Set('noscript script style template title'.split(' '));

const tableNames: ReadonlySet<string> = new Set('table tbody td tfoot th thead tr'.split(' '));

const closedBy: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['p', blockNames],
  ['li', new Set(['li'])],
  ['dt', new Set(['dt', 'dd'])],
  ['dd', new Set(['dt', 'dd'])],
  ['td', new Set(['td', 'th', 'tr', 'tbody', 'tfoot', 'thead'])],
  ['th', new Set(['td', 'th', 'tr', 'tbody', 'tfoot', 'thead'])],
  ['tr', new Set(['tr', 'tbody', 'tfoot', 'thead'])],
]);

/** True where an open element ends because another one begins, as its end tag may be left out. */
export function isClosedBy(open: string, next: string): boolean {
  return closedBy.get(open)?.has(next) === true;
}

/** True where no end tag `</name>` inside of an open element ends anything outside of it. */
export function bounds(open: string, name: string): boolean {
  if (open === 'table') return true;
  if (open === 'td' || open === 'th') return !tableNames.has(name);
  return blockNames.has(open) && !blockNames.has(name) && !tableNames.has(name);
}
