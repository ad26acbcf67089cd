/** Tracking in html bodies: links that lead over us, and a pixel (contract, section 5, tracking). */
import { QuoteType, Tokenizer } from 'htmlparser2';

/** Longer addresses stay as they are: with its signature the link would not fit into a request. */
const targetCharactersMax = 2000;
/** Elements whose `href` a person follows. */
const linkElements = new Set(['a', 'area']);
/** The program's own unsubscribe links must work whatever becomes of ours. */
const unsubscribe = /unsub|opt-?out/i;

/**
 * The html with every http(s) link led over `linkTo`, all else byte for byte as it was. Left alone are links with
 * `data-no-track`, links to unsubscribe, and addresses that no browser could read.
 *
 * @param linkTo the tracked form of an absolute address, safe in an attribute
 */
export function trackLinks(html: string, linkTo: (target: string) => string): string {
  const output: string[] = [];
  let copied = 0;
  for (const { from, to, target } of linksOf(html)) {
    output.push(html.slice(copied, from), `"${linkTo(target)}"`);
    copied = to;
  }
  output.push(html.slice(copied));
  return output.join('');
}

/** The html with a picture that nobody sees, at the end of its body. */
export function addPixel(html: string, address: string): string {
  const pixel = `<img src="${address}" alt="" width="1" height="1" style="display:block;width:1px;height:1px;border:0">`;
  return insertAtEnd(html, pixel);
}

/** Puts `addition` before the end of the body, or at the very end where the html names none. */
export function insertAtEnd(html: string, addition: string): string {
  const ends = [/<\/body\s*>/gi, /<\/html\s*>/gi].map((tag) => [...html.matchAll(tag)].at(-1)?.index);
  const at = ends.find((end) => end !== undefined) ?? html.length;
  return `${html.slice(0, at)}${addition}${html.slice(at)}`;
}

/** A link to track: the place of its attribute's value, quotes included, and where it leads. */
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
        // An address whose very first letter is hidden in an entity has no place that could be told.
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

/** The address in the form that a header can carry; null where it is not to be tracked. */
function targetOf(href: string): string | null {
  const text = href.trim();
  if (!/^https?:\/\//i.test(text) || unsubscribe.test(text) || text.includes('{{')) return null;
  const target = URL.parse(text)?.href;
  return target && target.length <= targetCharactersMax ? target : null;
}
