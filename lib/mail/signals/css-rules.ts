/**
 * The rules of `<style>` that can hide text: tags, ids, classes and what contains them. Rules with other selectors are left
 * out. Reads a bounded part, in linear time.
 */

const relevant = new Set([
  'background',
  'background-color',
  'background-image',
  'bottom',
  'clip',
  'clip-path',
  'color',
  'display',
  'filter',
  'font',
  'font-size',
  'height',
  'left',
  'margin-left',
  'margin-top',
  'max-height',
  'max-width',
  'opacity',
  'overflow',
  'overflow-x',
  'overflow-y',
  'position',
  'right',
  'text-indent',
  'top',
  'transform',
  'visibility',
  '-webkit-text-fill-color',
  'width',
]);

export interface Declaration {
  readonly property: string;
  /** In lower case. */
  readonly value: string;
  readonly isImportant: boolean;
}

interface Compound {
  readonly tag: string | null;
  readonly id: string | null;
  readonly classes: readonly string[];
}

export interface StyleRule {
  /** The element itself. */
  readonly subject: Compound;
  /** What contains it, from inside to outside. */
  readonly ancestors: readonly Compound[];
  readonly specificity: number;
  readonly declarations: readonly Declaration[];
}

/** What selectors see of an element. */
export interface Selected {
  readonly name: string;
  readonly id: string | null;
  readonly classes: readonly string[];
}

const cssCharactersMax = 500_000;
const rulesMax = 3000;

/** Declarations that can hide text. */
export function parseDeclarations(style: string): Declaration[] {
  const clean = style
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '')
    .replace(/\\([0-9a-f]{1,6})\s?/gi, unescaped);
  return clean.split(';').flatMap((text) => {
    const colon = text.indexOf(':');
    const property = text.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (!relevant.has(property)) return [];
    const value = text
      .slice(colon + 1)
      .trim()
      .toLowerCase();
    const important = value.lastIndexOf('!');
    const isImportant = important >= 0 && value.slice(important + 1).trim() === 'important';
    return [{ property, value: isImportant ? value.slice(0, important).trim() : value, isImportant }];
  });
}

function unescaped(_match: string, digits: string): string {
  const code = Number.parseInt(digits, 16);
  return code === 0 || code > 0x10ffff ? '' : String.fromCodePoint(code);
}

/** Rules by a name that an element must have: `#id`, `.class`, a tag, or `*`. */
export type RuleIndex = ReadonlyMap<string, readonly StyleRule[]>;

/** Reads style sheets. */
export function parseRules(css: string): RuleIndex {
  const index = new Map<string, StyleRule[]>();
  const source = css
    .slice(0, cssCharactersMax)
    .replace(/<!--|-->/g, '')
    .replace(/\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\//g, '');
  let count = 0;
  for (const { selectors, body } of blocksOf(source)) {
    const declarations = parseDeclarations(body);
    if (declarations.length === 0) continue;
    for (const selector of selectors.split(',').slice(0, 50)) {
      const rule = ruleOf(selector, declarations);
      if (rule === null || ++count > rulesMax) continue;
      const key = keyOf(rule.subject);
      index.set(key, [...(index.get(key) ?? []), rule]);
    }
  }
  return index;
}

/** Blocks with declarations, those in the at-rules that hold for a screen included. */
function* blocksOf(css: string): Generator<{ readonly selectors: string; readonly body: string }> {
  let at = 0;
  while (at < css.length) {
    const open = css.indexOf('{', at);
    if (open < 0) return;
    const before = css.slice(at, open);
    const head = before
      .slice(before.lastIndexOf(';') + 1)
      .replace(/^[\s}]+/, '')
      .trim();
    if (/^@(?:media|supports|layer|document)/i.test(head) && isForScreens(head)) {
      at = open + 1;
      continue;
    }
    const close = head.startsWith('@') ? endOfBlock(css, open) : css.indexOf('}', open);
    const end = close < 0 ? css.length : close;
    if (!head.startsWith('@')) yield { selectors: head, body: css.slice(open + 1, end) };
    at = end + 1;
  }
}

/** Conditions of width that a usual screen meets; those for small screens and printers do not hold. */
function isForScreens(head: string): boolean {
  if (/^@(?:supports|layer)/i.test(head)) return true;
  const query = head.slice('@media'.length).toLowerCase();
  if (/\b(?:print|speech|not)\b/.test(query)) return false;
  const conditions = [...query.matchAll(/\(([^()]{1,80})\)/g)].map(([, condition = '']) => condition);
  return conditions.every((condition) => {
    const [, width = ''] = /^\s*min-width\s*:\s*(\d{1,6})/.exec(condition) ?? [];
    return width !== '' && Number(width) <= 320;
  });
}

function endOfBlock(css: string, open: number): number {
  let depth = 0;
  for (let at = open; at < css.length; at++) {
    if (css[at] === '{') depth++;
    if (css[at] === '}' && --depth === 0) return at;
  }
  return css.length;
}

function ruleOf(selector: string, declarations: readonly Declaration[]): StyleRule | null {
  const text = selector.trim();
  if (text.length > 300 || /[[\]:+~"'()\\]/.test(text)) return null;
  const compounds = text
    .split(/[\s>]+/)
    .map(compoundOf)
    .reverse();
  const [subject, ...ancestors] = compounds;
  if (!subject || ancestors.some((one) => one === null)) return null;
  const known = [subject, ...ancestors].filter((one) => one !== null);
  const specificity = known.reduce(
    (sum, { id, classes, tag }) =>
      sum + (id === null ? 0 : 100) + 10 * classes.length + (tag === null ? 0 : 1),
    0,
  );
  return { subject, ancestors: known.slice(1), specificity, declarations };
}

function compoundOf(text: string): Compound | null {
  const [tag = '', ...rest] = text.split(/(?=[.#])/);
  const parts = /^[.#]/.test(tag) ? [tag, ...rest] : rest;
  const name = /^[.#]/.test(tag) || tag === '*' ? null : tag.toLowerCase();
  if (name !== null && !/^[a-z][a-z0-9-]*$/.test(name)) return null;
  const ids = parts.filter((part) => part.startsWith('#')).map((part) => part.slice(1));
  const classes = parts.filter((part) => part.startsWith('.')).map((part) => part.slice(1));
  return { tag: name, id: ids[0] ?? null, classes };
}

const keyOf = ({ id, classes: [first], tag }: Compound): string =>
  id === null ? (first === undefined ? (tag ?? '*') : `.${first}`) : `#${id}`;

/** Names under which rules for an element are indexed. */
export function keysOf({ name, id, classes }: Selected): string[] {
  return ['*', name, ...classes.map((one) => `.${one}`), ...(id === null ? [] : [`#${id}`])];
}

/** Whether an element is what a compound says. */
export function isMatch({ tag, id, classes }: Compound, element: Selected): boolean {
  return (
    (tag === null || tag === element.name) &&
    (id === null || id === element.id) &&
    classes.every((one) => element.classes.includes(one))
  );
}
