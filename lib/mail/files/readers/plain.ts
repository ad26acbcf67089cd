/** Plain text, JSON and XML, unchanged. */
import { decodeTextFile } from '../decode.ts';
import type { ReaderResult, SourceFile } from '../reader.ts';
import { decodeXml, walkXml } from '../xml.ts';

export function readText({ bytes, hint }: SourceFile): ReaderResult {
  return { ...decodeTextFile(bytes, hint), format: 'text' };
}

export function readJson({ bytes, hint }: SourceFile): ReaderResult {
  const { text, warnings } = decodeTextFile(bytes, hint);
  return {
    text,
    format: 'text',
    warnings: [...warnings, ...(isJson(text) ? [] : ['This is not valid JSON; the text is unchanged.'])],
  };
}

/** JSON, or JSON lines. */
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
    warnings: isXml(bytes) ? [] : ['This is not well-formed XML; the text is unchanged.'],
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
