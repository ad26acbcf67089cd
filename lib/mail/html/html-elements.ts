/** Owns which html elements break lines, are hidden or void, and close each other, and which are open. */

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
function containsEndTag(open: string, name: string): boolean {
  if (open === 'table') return true;
  if (open === 'td' || open === 'th') return !tableElements.has(name);
  return blockElements.has(open) && !blockElements.has(name) && !tableElements.has(name);
}

/** How many enclosing elements an end tag is compared with. */
const endTagReach = 200;

/** The open elements, outermost first. */
export type ElementStack<Open extends { readonly name: string }> = ReturnType<typeof elementStack<Open>>;

export function elementStack<Open extends { readonly name: string }>() {
  const elements: Open[] = [];
  /** Of each name: end tags without a start tag are skipped without a search. */
  const counts = new Map<string, number>();
  const count = (name: string, change: number) => counts.set(name, (counts.get(name) ?? 0) + change);
  return {
    elements: elements as readonly Open[],
    push(element: Open): void {
      elements.push(element);
      count(element.name, 1);
    },
    pop(): Open | undefined {
      const element = elements.pop();
      if (element) count(element.name, -1);
      return element;
    },
    /**
     * The index of the element that an end tag ends, -1 for none: end tags of text formatting close no enclosing block, those
     * of blocks no cell, those of cells no table.
     */
    endedBy(name: string): number {
      if ((counts.get(name) ?? 0) === 0) return -1;
      const end = Math.max(0, elements.length - endTagReach);
      for (let index = elements.length - 1; index >= end; index--) {
        const open = elements[index]?.name ?? '';
        if (open === name) return index;
        if (containsEndTag(open, name)) return -1;
      }
      return -1;
    },
  };
}
