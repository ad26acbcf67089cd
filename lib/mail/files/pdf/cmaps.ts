/**
 * The character maps of the PDF standard, which give the text of Chinese, Japanese and Korean fonts that are not embedded.
 *
 * `cmaps.zip` is the folder `cmaps` of pdfjs-dist 6.1.200, with its licence: the maps of Adobe's cmap-resources (BSD-3-Clause)
 * in the packed form that pdf.js reads. The bundle has it beside the code that reads it (`lib/constructs/bundle.ts`).
 */
import { readFile } from 'node:fs/promises';
import { type Archive, openArchive } from '../archive.ts';
import { extractionLimits } from '../limits.ts';

/** Read once in a process: together the maps of all files may be larger than a file may be. */
let maps: Promise<Archive> | null = null;

async function readMaps(): Promise<Archive> {
  const bytes = await readFile(new URL('cmaps.zip', import.meta.url));
  return await openArchive(bytes, { ...extractionLimits, expandedBytes: Number.POSITIVE_INFINITY });
}

/** What pdf.js asks for its data: it gets character maps, and neither fonts nor decoders, which text does not need. */
export class CharacterMaps {
  readonly fetch = async ({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> => {
    maps ??= readMaps();
    const map = kind === 'cMapUrl' ? await (await maps).read(filename) : null;
    if (!map) throw new Error('There is no such file.');
    // A copy: the library transfers the buffer.
    return new Uint8Array(map);
  };
}
