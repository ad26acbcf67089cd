/**
 * Event-based XML parsing. Declared entities are not expanded and external ones not fetched.
 */
import { SaxesParser } from 'saxes';
import { bufferOf } from '../text/octets.ts';
import { decodeFile } from './decode.ts';
import { extractionLimits } from './limits.ts';
import { Unreadable } from './reader.ts';

export interface Tag {
  /** Without namespace prefix. */
  readonly name: string;
  /** With namespace prefixes, as written. */
  readonly attributes: Readonly<Record<string, string>>;
}

export interface XmlVisitor {
  readonly open?: (tag: Tag) => void;
  readonly text?: (text: string) => void;
  /** @param name without namespace prefix */
  readonly close?: (name: string) => void;
}

/** Characters given to the parser at once; it copies what it has not finished. */
const chunkCharacters = 64 * 1024;

/** @throws Unreadable if the document is not well-formed, or nested too deep */
export function walkXml(bytes: Uint8Array, visitor: XmlVisitor): void {
  const text = decodeXml(bytes);
  const parser = new SaxesParser();
  let depth = 0;
  parser.on('error', (error) => {
    throw new Unreadable('The XML inside the file is damaged.', error);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++depth > extractionLimits.xmlDepth)
      throw new Unreadable('The XML inside the file is nested too deep.');
    visitor.open?.({ name: localName(name), attributes });
  });
  parser.on('closetag', ({ name }) => {
    depth--;
    visitor.close?.(localName(name));
  });
  parser.on('text', (value) => visitor.text?.(value));
  parser.on('cdata', (value) => visitor.text?.(value));
  for (let at = 0; at < text.length; at += chunkCharacters)
    parser.write(text.slice(at, at + chunkCharacters));
  parser.close();
}

/** Decodes an XML document by its declared encoding (XML 1.0, 4.3.3). */
export function decodeXml(bytes: Uint8Array): string {
  const start = bufferOf(bytes).subarray(0, 200).toString('latin1');
  const [, declared = null] = /^\s*<\?xml[^>]*\sencoding\s*=\s*["']([\w.:-]+)/.exec(start) ?? [];
  return decodeFile(bytes, declared);
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}
