/** Owns the reading of html as a sequence of tags and texts with their offsets in the source. */
import { Tokenizer } from 'htmlparser2';

/** Longer attribute values are cut, unless the caller wants more of them. */
const valueCharactersMaxDefault = 2000;

export interface TokenHandler {
  /** A start tag, with the requested attributes. */
  readonly open: (name: string, attributes: ReadonlyMap<string, string>, from: number, to: number) => void;
  readonly close: (name: string, from: number, to: number) => void;
  /** Text with entities decoded; one text may come in several calls. */
  readonly text: (text: string, from: number, to: number) => void;
  /** Called after each tag and text; true stops the reading. */
  readonly isDone: () => boolean;
  /** Longer attribute values are cut; default: 2,000. */
  readonly valueCharactersMax?: number;
}

/** Reads html from beginning to end, in linear time. Tag names are lower-case; attributes not in `attributeNames` are skipped. */
export function tokenizeHtml(html: string, attributeNames: ReadonlySet<string>, handler: TokenHandler): void {
  const { valueCharactersMax = valueCharactersMaxDefault } = handler;
  /** Shared by all tags without attributes, which are most. */
  const noAttributes = new Map<string, string>();
  let cursor = 0;
  let tag: { name: string; from: number; attributes: Map<string, string> } = {
    name: '',
    from: 0,
    attributes: noAttributes,
  };
  let attribute = { name: '', value: '' };

  function closeTag(start: number, end: number): void {
    const bracket = html.indexOf('>', end);
    cursor = bracket < 0 ? html.length : bracket + 1;
    handler.close(html.slice(start, end).toLowerCase(), html.lastIndexOf('<', start), cursor);
  }
  /** `end` is the offset of the closing bracket. */
  function skipTo(_start: number, end: number): void {
    cursor = end + 1;
  }

  function openTag(end: number): void {
    cursor = end + 1;
    handler.open(tag.name, tag.attributes, tag.from, cursor);
    if (handler.isDone()) tokenizer.pause();
  }

  const tokenizer: Tokenizer = new Tokenizer(
    {},
    {
      ontext: (start, end) => {
        cursor = end;
        handler.text(html.slice(start, end), start, end);
        if (handler.isDone()) tokenizer.pause();
      },
      ontextentity: (codepoint, end) => {
        const start = cursor;
        cursor = end;
        handler.text(String.fromCodePoint(codepoint), start, end);
        if (handler.isDone()) tokenizer.pause();
      },
      onopentagname: (start, end) => {
        tag = { name: html.slice(start, end).toLowerCase(), from: start - 1, attributes: noAttributes };
      },
      onattribname: (start, end) => {
        const name = end - start > 30 ? '' : html.slice(start, end).toLowerCase();
        attribute = { name: attributeNames.has(name) ? name : '', value: '' };
      },
      onattribdata: (start, end) => {
        if (attribute.name === '' || attribute.value.length > valueCharactersMax) return;
        attribute.value += html.slice(start, Math.min(end, start + valueCharactersMax));
      },
      onattribentity: (codepoint) => {
        if (attribute.name === '' || attribute.value.length > valueCharactersMax) return;
        attribute.value += String.fromCodePoint(codepoint);
      },
      onattribend: () => {
        if (attribute.name !== '' && !tag.attributes.has(attribute.name)) {
          if (tag.attributes === noAttributes) tag.attributes = new Map();
          tag.attributes.set(attribute.name, attribute.value);
        }
      },
      onopentagend: openTag,
      // HTML ignores the slash: `<div/>` is a start tag.
      onselfclosingtag: openTag,
      onclosetag: closeTag,
      oncomment: skipTo,
      ondeclaration: skipTo,
      onprocessinginstruction: skipTo,
      oncdata: skipTo,
      onend: () => undefined,
    },
  );
  tokenizer.write(html);
  tokenizer.end();
}
