/** Click and open tracking in html bodies (docs/concepts/tracking.md). */
import { QuoteType, Tokenizer } from 'htmlparser2';

/** Longer URLs are not tracked: the signed link would not fit into a request line. */
const targetCharactersMax = 2000;
/** Later links are not tracked: a signed link is ten times as long as a short URL. */
const trackedLinksMax = 1000;
/** Elements with links that people click. */
const linkElements = new Set(['a', 'area']);
/** The caller's own unsubscribe links are not tracked: they must work without us. */
const unsubscribe = /unsub|opt-?out/i;

/**
 * The html with every http(s) link replaced by `linkTo`, everything else unchanged. Links with `data-no-track`,
 * unsubscribe links, invalid URLs and all links after the first 1000 are not replaced.
 *
 * @param linkTo the tracked URL of an absolute URL, safe in an attribute
 */
export function trackLinks(html: string, linkTo: (target: string) => string): string {
  const output: string[] = [];
  let copied = 0;
  for (const { from, to, target } of linksOf(html).slice(0, trackedLinksMax)) {
    output.push(html.slice(copied, from), `"${linkTo(target)}"`);
    copied = to;
  }
  output.push(html.slice(copied));
  return output.join('');
}

/** Adds an invisible tracking pixel at the end of the body. */
export function addPixel(html: string, address: string): string {
  const pixel = `<img src="${address}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0">`;
  return insertAtEnd(html, pixel);
}

/** Inserts `addition` before `</body>` or `</html>`, else at the end. */
export function insertAtEnd(html: string, addition: string): string {
  const ends = [/<\/body\s*>/gi, /<\/html\s*>/gi].map((tag) => [...html.matchAll(tag)].at(-1)?.index);
  const at = ends.find((end) => end !== undefined) ?? html.length;
  return `${html.slice(0, at)}${addition}${html.slice(at)}`;
}

/** A link to track: the range of its attribute value, quotes included, and its target. */
interface FoundLink {
  readonly from: number;
  readonly to: number;
  readonly target: string;
}

function linksOf(html: string): FoundLink[] {
  const found: FoundLink[] = [];
  let tag = { isLink: false, isLeftAlone: false, link: null as FoundLink | null };
  let attribute = { name: '', from: -1, value: '', isPlain: true };
  const endTag = () => {
    if (tag.link && !tag.isLeftAlone) found.push(tag.link);
  };
  const ignore = () => undefined;
  const tokenizer = new Tokenizer(
    {},
    {
      onopentagname: (start, end) => {
        const isLink = linkElements.has(html.slice(start, end).toLowerCase());
        tag = { isLink, isLeftAlone: false, link: null };
      },
      onattribname: (start, end) => {
        const name = tag.isLink ? html.slice(start, end).toLowerCase() : '';
        attribute = { name, from: -1, value: '', isPlain: true };
        if (name === 'data-no-track') tag.isLeftAlone = true;
      },
      onattribdata: (start, end) => {
        if (attribute.name !== 'href') return;
        if (attribute.from < 0) attribute.from = start;
        attribute.value += html.slice(start, end);
      },
      onattribentity: (codepoint) => {
        // The position of a value that begins with an entity is unknown.
        if (attribute.from < 0) attribute.isPlain = false;
        attribute.value += String.fromCodePoint(codepoint);
      },
      onattribend: (quote, end) => {
        if (attribute.name !== 'href' || tag.link || !attribute.isPlain || attribute.from < 0) return;
        const target = targetOf(attribute.value);
        const isQuoted = quote === QuoteType.Single || quote === QuoteType.Double;
        if (target) tag.link = { from: attribute.from - (isQuoted ? 1 : 0), to: end, target };
      },
      onopentagend: endTag,
      onselfclosingtag: endTag,
      onclosetag: ignore,
      ontext: ignore,
      ontextentity: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      oncdata: ignore,
      onend: ignore,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return found;
}

/** The URL in ASCII form, or null if it is not tracked. */
function targetOf(href: string): string | null {
  const text = href.trim();
  if (!/^https?:\/\//i.test(text) || unsubscribe.test(text) || text.includes('{{')) return null;
  const target = URL.parse(text)?.href;
  return target && target.length <= targetCharactersMax ? target : null;
}
