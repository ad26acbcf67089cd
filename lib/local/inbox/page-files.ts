/** The built files of the local inbox, compressed, in the folder of the console's build (lib/constructs/console.ts). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { manifestName, type SiteManifest } from '../../http/pages/site-manifest.ts';

export interface PageFile {
  readonly type: string;
  readonly isImmutable: boolean;
  /** Content-Encoding; null: none. */
  readonly encoding: 'br' | 'gzip' | null;
  readonly body: Buffer;
}

export interface PageFiles {
  /** @param accepted Accept-Encoding @returns null where there is no such file */
  find(path: string, accepted: string): PageFile | null;
}

/** @param folder with the manifest and the contents */
export function openPageFiles(folder: string): PageFiles {
  const manifest: SiteManifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
  return {
    find(path, accepted) {
      const entry = Object.hasOwn(manifest, path) ? manifest[path] : undefined;
      if (!entry) return null;
      const { hash, isImmutable, type } = entry;
      const encoding = /\bbr\b/.test(accepted) ? 'br' : /\bgzip\b/.test(accepted) ? 'gzip' : null;
      const bytes = readFileSync(join(folder, `${hash}.${encoding === 'br' ? 'br' : 'gz'}`));
      return { type, isImmutable, encoding, body: encoding === null ? gunzipSync(bytes) : bytes };
    },
  };
}
