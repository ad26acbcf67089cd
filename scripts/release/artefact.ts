/**
 * The artefact of a release, which the next one is tested beside (test/releases): the templates that the local cloud deploys, and the
 * bundle of the functions, minified as it is deployed. Without the documentation site and the console, which keep no data.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Folder of the artefacts, `<version>.json.br` each. */
export const artefactsFolder = join(import.meta.dirname, '../../test/releases');

const endOfName = '.json.br';

export const artefactFile = (version: string): string => join(artefactsFolder, `${version}${endOfName}`);

/** The releases that have an artefact, the oldest first. */
export function releasesKept(): string[] {
  const names = readdirSync(artefactsFolder).filter((name) => name.endsWith(endOfName));
  return names.map((name) => name.slice(0, -endOfName.length)).sort(compareVersions);
}

/** By number, `0.10.0` after `0.9.1`. */
export const compareVersions = (one: string, other: string): number =>
  one.localeCompare(other, 'en', { numeric: true });

/** Packs a cloud assembly. Brotli takes half a minute for it, and halves what zip takes. */
export function packAssembly(assembly: string): Buffer {
  const files = Object.fromEntries(
    filesOf(assembly).map((path) => [path, readFileSync(join(assembly, path)).toString(encodingOf(path))]),
  );
  const json = Buffer.from(JSON.stringify(files));
  return brotliCompressSync(json, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
      [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
    },
  });
}

/** Writes the assembly of an artefact into a folder. */
export function unpackAssembly(artefact: Buffer, folder: string): void {
  const files: Readonly<Record<string, string>> = JSON.parse(brotliDecompressSync(artefact).toString());
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, Buffer.from(content, encodingOf(path)));
  }
}

/** Character maps are the only files that are no text. */
const encodingOf = (path: string): 'base64' | 'utf8' => (path.endsWith('.zip') ? 'base64' : 'utf8');

function filesOf(assembly: string): string[] {
  return readdirSync(assembly).flatMap((name) => {
    if (/^manifest\.json$|\.(template|assets)\.json$/.test(name)) return [name];
    // The bundle is the one asset with chunks.
    if (!existsSync(join(assembly, name, 'chunks'))) return [];
    return readdirSync(join(assembly, name), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name: file }) => join(parentPath, file).slice(assembly.length + 1));
  });
}
