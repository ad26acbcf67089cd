/** Files that are text already: plain text, JSON and XML, as they are. */
import { decodeFile } from '../decode.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';
import { decodeXml, walkXml } from '../xml.ts';

export function readText({ bytes }: SourceFile): ReaderResult {
  return { text: decodeFile(bytes), format: 'text' };
}

export function readJson({ bytes }: SourceFile): ReaderResult {
  const text = decodeFile(bytes);
  return { text, format: 'text', warnings: isJson(text) ? [] : ['This is no valid JSON; shown as it is.'] };
}

/** JSON, or a JSON text on every line. */
function isJson(text: string): boolean {
  return parses(text) || text.split('\n').every((line) => line.trim() === '' || parses(line));
}

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

export function readXml({ bytes }: SourceFile): ReaderResult {
  const text = decodeXml(bytes);
  return {
    text,
    format: 'text',
    warnings: isXml(bytes) ? [] : ['This is no well-formed XML; shown as it is.'],
  };
}

function isXml(bytes: Uint8Array): boolean {
  try {
    walkXml(bytes, {});
    return true;
  } catch {
    return false;
  }
}
