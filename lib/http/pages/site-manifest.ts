/** The files of the documentation site, as its builder writes and its function reads them. */

export interface ManifestEntry {
  /** Content-Type. */
  readonly type: string;
  /** The content is in files named by its hash: `<hash>.br` and `<hash>.gz`. */
  readonly hash: string;
  /** The URL has the hash of the content. */
  readonly isImmutable: boolean;
}

/** By URL path. */
export type SiteManifest = Record<string, ManifestEntry>;

/** File of the list of paths. */
export const manifestName = 'site.json';

/** Path of the page for what does not exist. */
export const missingPath = '/404';
