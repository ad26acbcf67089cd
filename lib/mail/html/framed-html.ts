/** Owns the html of a message as a page that is shown in a frame: what runs, sends or loads is left out. */

import { escapeHtml } from './escape-html.ts';
import { tokenizeHtml } from './tokenize-html.ts';

export interface FrameOptions {
  /** Links of the message's files by Content-ID, without angle brackets. */
  readonly files?: ReadonlyMap<string, string>;
  /** Whether pictures of other hosts are loaded; default: false. */
  readonly withRemotePictures?: boolean;
}

/** The rest of a longer message is left out. */
const inputCharactersMax = 5_000_000;
/** Below the 6 MB that a function may answer. Escapes make a text longer. */
const outputCharactersMax = 5_000_000;

/** Tags that are written with those of their attributes that are listed below. What is inside of any other is shown without it. */
const shownTags = new Set(
  (
    'a abbr acronym address article aside b bdi bdo big blockquote br caption center cite code col colgroup dd del dfn ' +
    'dir div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark menu nav ol p ' +
    'pre q rp rt ruby s samp section small span strike strong sub sup table tbody td tfoot th thead time tr tt u ul var ' +
    'wbr'
  ).split(' '),
);

/**
 * Elements that may be open at the same time; the rest is shown without them. Thousands of tables within each other end the process
 * of the browser's page (Chromium 153), and formatting that is not closed is opened again in every paragraph (HTML, 13.2.4.3).
 */
const openMax = { tables: 50, formatting: 100 } as const;
/** Tags in all; the rest is shown as text. A frame of so many took 233 MB and 2.6 s in Chromium. */
const tagsMax = 30_000;
const tableTags = new Set('caption col colgroup table tbody td tfoot th thead tr'.split(' '));
const formattingTags = new Set('a b big code em font i s small strike strong tt u'.split(' '));

/** Whether tags are within the bounds of what is open. */
function openElements(): { opens(name: string): boolean; closes(name: string): boolean } {
  let [tables, formatting, tags] = [0, 0, 0];
  const isShown = (name: string) =>
    (tables <= openMax.tables || !tableTags.has(name)) &&
    (formatting <= openMax.formatting || !formattingTags.has(name));
  return {
    opens(name) {
      if (name === 'table') tables += 1;
      if (formattingTags.has(name)) formatting += 1;
      if (name === 'body' || shownTags.has(name)) tags += 1;
      return tags <= tagsMax && isShown(name);
    },
    closes(name) {
      const shown = tags <= tagsMax && isShown(name);
      if (name === 'table') tables = Math.max(0, tables - 1);
      if (formattingTags.has(name)) formatting = Math.max(0, formatting - 1);
      return shown;
    },
  };
}

/** Left out with what is inside. */
const droppedTags = new Set(
  (
    'applet audio canvas datalist frameset iframe math noembed noframes noscript object ' +
    'plaintext script select svg template textarea title video xmp'
  ).split(' '),
);

/** Attributes that only change how something looks. */
const plainAttributes = (
  'align alt bgcolor border cellpadding cellspacing class clear color cols colspan dir face height hspace id lang ' +
  'noshade nowrap reversed rowspan rows size span start style summary title valign value vspace width'
).split(' ');

const readAttributes: ReadonlySet<string> = new Set([
  ...plainAttributes,
  'background',
  'href',
  'src',
  'type',
]);

/** A frame has its own colors: mail is written for white paper. */
const frameStyle =
  'html{background:#fff;color:#1b1f27;color-scheme:light}body{margin:0;padding:12px;font:14px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}img{max-width:100%}';

/**
 * The html of a message as a whole document for a frame. Scripts, forms, frames, other objects, svg, `base` and `meta` are left
 * out; links open a tab of their own, and only those to `http`, `https`, `mailto` and `tel` lead anywhere. The frame also needs
 * a policy (lib/http/pages/mail-frame.ts) and `sandbox`: this is not the only guard. Linear time.
 */
export function framedHtml(html: string, options: FrameOptions = {}): string {
  const out: string[] = [];
  let written = 0;
  /** The dropped tag that is open, how often, and whether it is `style`, whose text is CSS. */
  let dropped = { name: '', depth: 0 };
  let isStyle = false;
  const elements = openElements();
  const write = (text: string): void => {
    out.push(text.slice(0, Math.max(0, outputCharactersMax - written)));
    written += text.length;
  };
  tokenizeHtml(html.slice(0, inputCharactersMax), readAttributes, {
    valueCharactersMax: 1_000_000,
    open(name, attributes) {
      if (dropped.depth > 0) {
        if (name === dropped.name) dropped.depth += 1;
      } else if (droppedTags.has(name)) {
        dropped = { name, depth: 1 };
      } else {
        isStyle ||= name === 'style';
        if (elements.opens(name)) write(startTag(name, attributes, options));
      }
    },
    close(name) {
      if (dropped.depth > 0) {
        if (name === dropped.name) dropped.depth -= 1;
      } else if (name === 'style' && isStyle) {
        isStyle = false;
        write('</style>');
      } else if (shownTags.has(name)) {
        if (elements.closes(name)) write(`</${name}>`);
      }
    },
    text(text) {
      if (dropped.depth > 0) return;
      write(isStyle ? safeCss(text, options) : escapeHtml(text));
    },
    isDone: () => written >= outputCharactersMax,
  });
  if (isStyle) write('</style>');
  return `<!doctype html><html lang="und"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Message</title><style>${frameStyle}</style></head><body>${out.join('')}</body></html>`;
}

/** Whether the message shows pictures of other hosts, as far as its attributes and styles say. Linear time. */
export function showsRemotePictures(html: string): boolean {
  return /(?:\b(?:src|background)\s{0,9}=\s{0,9}["']?|url\(\s{0,9}["']?)\s{0,9}(?:https?:)?\/\//i.test(html);
}

/** A start tag as it is written; empty for one that is not. */
function startTag(name: string, attributes: ReadonlyMap<string, string>, options: FrameOptions): string {
  if (name === 'style') return '<style>';
  if (name === 'body') return `<div${attributesOf(name, attributes, options)}>`;
  return shownTags.has(name) ? `<${name}${attributesOf(name, attributes, options)}>` : '';
}

function attributesOf(name: string, attributes: ReadonlyMap<string, string>, options: FrameOptions): string {
  let text = '';
  for (const [attribute, value] of attributes) {
    const shown = shownValue(name, attribute, value, options);
    if (shown !== null) text += ` ${attribute}="${escapeHtml(shown)}"`;
  }
  return name === 'a' ? `${text} target="_blank" rel="noreferrer noopener"` : text;
}

/** null: the attribute is left out. */
function shownValue(name: string, attribute: string, value: string, options: FrameOptions): string | null {
  switch (attribute) {
    case 'style':
      return safeCss(value, options);
    case 'href':
      return name === 'a' ? linkTarget(value) : null;
    case 'src':
      return name === 'img' ? pictureSource(value, options) : null;
    case 'background':
      return pictureSource(value, options);
    case 'type':
      return name === 'ol' || name === 'ul' || name === 'li' ? value : null;
    default:
      return value;
  }
}

/** Browsers ignore these in an address (WHATWG URL, "basic URL parser"). */
const trimmed = (url: string): string => url.replace(/[\t\n\r]/g, '').trim();

function linkTarget(value: string): string | null {
  const url = trimmed(value);
  return /^(?:https?:\/\/|mailto:|tel:)/i.test(url) ? url : null;
}

/** A file of the message, a picture within the html, or one of another host where these are wanted. */
function pictureSource(value: string, { files, withRemotePictures }: FrameOptions): string | null {
  const url = trimmed(value);
  if (/^cid:/i.test(url)) return files?.get(decoded(url.slice(4))) ?? null;
  if (/^data:image\/(?:png|jpeg|gif|webp|avif|bmp)[;,]/i.test(url)) return url;
  if (!withRemotePictures) return null;
  return /^https?:\/\//i.test(url) ? url : null;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/**
 * CSS that does not end its element, and without remote pictures loads nothing: a declaration with an unknown function is left out by
 * the browser. Escapes are left out, since `u\72l(` is `url(` ("CSS Syntax Module Level 3", 4.3.7).
 */
function safeCss(css: string, { withRemotePictures }: FrameOptions): string {
  const text = css.replace(/[<\\]/g, '').replace(/@import/gi, '@left-out');
  return withRemotePictures ? text : text.replace(/(url|image-set|image)\(/gi, 'left-out(');
}
