/**
 * Owns the reduction of html to the tags that shape its text, well nested and shallow. Html parsers take quadratic time
 * on hostile nesting (measured: 14 s for 160,000 tags) and linear time on the reduced html.
 */

/** Tags that shape text. Other tags are dropped, their content kept. */
const shaping = new Set(
  'a article aside blockquote br dd div dl dt footer form h1 h2 h3 h4 h5 h6 header hr li main nav ol p pre section table td th tr ul'.split(
    ' ',
  ),
);
/** Elements that are written as another one of the same effect: blocks (HTML, 15.3), and lists. */
const replacements: ReadonlyMap<string, string> = new Map([
  ...'address center details dialog fieldset figcaption figure hgroup legend listing option optgroup search summary text'
    .split(' ')
    .map((name) => [name, 'div'] as const),
  ['dir', 'ul'],
  ['menu', 'ul'],
]);
/** Elements without end tags. */
const voidElements = new Set(['br', 'hr']);
/** Elements with an optional end tag: the next of the same name ends them. */
const selfEnding = new Set(['dd', 'dt', 'li', 'p', 'td', 'th', 'tr']);
/** Elements whose content is not text. `desc` and `metadata` describe drawings. */
const hiddenElements = new Set([
  'script',
  'style',
  'title',
  'template',
  'noscript',
  'object',
  'desc',
  'metadata',
]);
/** Types of `input` that show no text, or not their value. */
const textlessInput = /(?:^|\s)type\s*=\s*["']?(?:hidden|password|checkbox|radio|file|image|color|range)\b/i;
const depthMax = 100;

/** Characters before each line of an element's text: quote marks, and the indentation of lists. */
const indentations: Readonly<Record<string, number>> = { blockquote: 2, li: 4 };
/** Characters of tags in the text: a rule, and the brackets of a link. */
const widths: Readonly<Record<string, number>> = { hr: 40, a: 3 };

const tagName = /\/?([a-z][a-z0-9]*)/iy;
const beforeDelimiter = /[^"'>]*/y;
const hrefValue = attributeValue('href');
const inputValue = attributeValue('value');

/**
 * Html with the same text, nested at most 100 deep. Linear in its input; never throws.
 *
 * @param textMax where the text, with its indentation, would have about as many characters, the rest is left out: a
 *   nested tag of four characters becomes lines of hundreds
 * @param onCut called if the rest is left out
 */
export function outlineOfHtml(html: string, textMax: number, onCut = () => {}): string {
  const outline: Outline = { output: [], open: [], indentation: 0, written: 0, textMax };
  let at = 0;
  while (at < html.length && outline.written < textMax) {
    const less = html.indexOf('<', at);
    writeText(outline, html.slice(at, less < 0 ? undefined : less));
    if (less < 0) break;
    const tag = readTag(html, less);
    at = tag.endsAt;
    if (tag.name === null || tag.text !== '') writeText(outline, tag.text);
    else if (tag.isEnd) closeFrom(outline, outline.open.lastIndexOf(tag.name));
    else if (hiddenElements.has(tag.name)) at = endOfElement(html, tag.name, at);
    else if (tag.name === 'textarea') at = writeTextarea(outline, html, at);
    else if (shaping.has(tag.name)) writeTag(outline, tag.name, tag.href);
  }
  closeFrom(outline, 0);
  if (outline.written >= textMax) onCut();
  return outline.output.join('');
}

/** The html written so far. */
interface Outline {
  readonly output: string[];
  /** Names of the open elements. */
  readonly open: string[];
  /** Characters before each line of text. */
  indentation: number;
  /** Characters of text, with its indentation. */
  written: number;
  readonly textMax: number;
}

function writeText(outline: Outline, text: string): void {
  const { output, open, indentation, written, textMax } = outline;
  output.push(text.length > textMax - written ? text.slice(0, textMax - written) : text);
  outline.written += text.length;
  if (indentation > 0 && open.includes('pre')) outline.written += indentation * (text.split('\n').length - 1);
}

/** What is typed in: tags in it are text. */
function writeTextarea(outline: Outline, html: string, at: number): number {
  const endsAt = endOfElement(html, 'textarea', at);
  const endTag = html.lastIndexOf('<', endsAt - 1);
  const isClosed = endTag >= at && /^<\/textarea/i.test(html.slice(endTag, endTag + 10));
  const typed = html.slice(at, isClosed ? endTag : endsAt);
  writeText(outline, ` ${typed.replaceAll('<', '&lt;')} `);
  return endsAt;
}

function writeTag(outline: Outline, name: string, href: string): void {
  const { output, open } = outline;
  outline.written += outline.indentation + (widths[name] ?? 1) + href.length;
  if (selfEnding.has(name) && open.at(-1) === name) closeFrom(outline, open.length - 1);
  if (voidElements.has(name)) output.push(`<${name}>`);
  else if (open.length >= depthMax) output.push('<br>');
  else {
    open.push(name);
    outline.indentation += indentations[name] ?? 0;
    output.push(name === 'a' ? `<a href="${href}">` : `<${name}>`);
  }
}

/** Closes the element at an index and those inside it; -1: none. */
function closeFrom(outline: Outline, index: number): void {
  if (index < 0) return;
  for (const name of outline.open.splice(index).reverse()) {
    outline.indentation -= indentations[name] ?? 0;
    outline.output.push(`</${name}>`);
  }
}

interface Tag {
  /** Lower case; null for a comment, a declaration or a stray `<`. */
  readonly name: string | null;
  readonly isEnd: boolean;
  /** Escaped for double quotes. */
  readonly href: string;
  /** The text that replaces a stray `<`, or that a field or button shows. */
  readonly text: string;
  readonly endsAt: number;
}

function readTag(html: string, less: number): Tag {
  const other = { name: null, isEnd: false, href: '', text: '' };
  if (html.startsWith('<!--', less)) return { ...other, endsAt: after(html, '-->', less + 4) };
  const next = html[less + 1];
  if (next === '!' || next === '?') return { ...other, endsAt: after(html, '>', less + 1) };
  tagName.lastIndex = less + 1;
  const [whole, name = ''] = tagName.exec(html) ?? [];
  if (whole === undefined) return { ...other, text: '&lt;', endsAt: less + 1 };
  const attributesAt = less + 1 + whole.length;
  const endsAt = endOfTag(html, attributesAt);
  const isEnd = next === '/';
  const tag = name.toLowerCase();
  const attributes = tag === 'a' || tag === 'input' ? html.slice(attributesAt, endsAt) : '';
  const href = tag === 'a' ? firstValue(hrefValue, attributes).replaceAll('"', '&quot;') : '';
  return { name: replacements.get(tag) ?? tag, isEnd, href, text: textOfField(tag, attributes), endsAt };
}

/** Apart from the words beside it: fields and buttons are boxes. */
function textOfField(tag: string, attributes: string): string {
  if (tag === 'button' || tag === 'select') return ' ';
  if (tag !== 'input' || textlessInput.test(attributes)) return '';
  return ` ${firstValue(inputValue, attributes).replaceAll('<', '&lt;')} `;
}

function attributeValue(name: string): RegExp {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i');
}

function firstValue(attribute: RegExp, attributes: string): string {
  const [, double, single, unquoted] = attribute.exec(attributes) ?? [];
  return double ?? single ?? unquoted ?? '';
}

/** The offset after the first `>` outside of quoted attribute values. */
function endOfTag(html: string, attributesAt: number): number {
  let at = attributesAt;
  while (at < html.length) {
    beforeDelimiter.lastIndex = at;
    at += beforeDelimiter.exec(html)?.[0].length ?? 0;
    const delimiter = html[at];
    if (delimiter === undefined) break;
    if (delimiter === '>') return at + 1;
    at = after(html, delimiter, at + 1);
  }
  return html.length;
}

function endOfElement(html: string, name: string, from: number): number {
  const end = new RegExp(`</${name}[^a-z0-9]`, 'gi');
  end.lastIndex = from;
  const match = end.exec(html);
  return match === null ? html.length : endOfTag(html, end.lastIndex - 1);
}

function after(html: string, text: string, from: number): number {
  const found = html.indexOf(text, from);
  return found < 0 ? html.length : found + text.length;
}
