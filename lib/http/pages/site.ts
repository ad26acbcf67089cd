/** Serves the documentation and the console from files that are built and compressed before the deployment (lib/constructs). */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { Problem } from '../../core/problems.ts';
import type { LambdaHandler, PublicUrls } from '../request-context.ts';
import { type PublicRequest, type PublicResponse, servePublic } from '../serve-public.ts';
import { type ManifestEntry, manifestName, missingPath, type SiteManifest } from './site-manifest.ts';

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'";

const headers = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex, nofollow',
  vary: 'accept, accept-encoding',
};

/** What differs from the documentation site. */
export interface SiteOptions {
  /** Content-Security-Policy. */
  readonly policy?: string;
  /** The path whose page answers every path but those of immutable files. */
  readonly pageOfAll?: { readonly path: string; readonly assets: string };
}

type Encoding = 'br' | 'gzip' | 'identity';

/**
 * @param folder with the manifest and the contents, read when they are first asked for
 * @param urls as for `servePublic`
 */
export function serveSite(
  id: string,
  folder: string,
  urls?: () => PublicUrls,
  options?: SiteOptions,
): LambdaHandler {
  return servePublic(id, openSite(folder, options), urls);
}

/** Answers requests from the files of a folder. @throws Problem for what it does not have */
export function openSite(
  folder: string,
  options: SiteOptions = {},
): (request: Pick<PublicRequest, 'path' | 'headers'>) => PublicResponse {
  const shared = { ...headers, 'content-security-policy': options.policy ?? policy };
  const contents = new Map<string, Buffer>();
  let manifest: ReadonlyMap<string, ManifestEntry> | undefined;

  const contentOf = ({ hash }: ManifestEntry, encoding: Encoding): Buffer => {
    const name = `${hash}.${encoding === 'br' ? 'br' : 'gz'}`;
    const known = contents.get(name) ?? readFileSync(join(folder, name));
    contents.set(name, known);
    return encoding === 'identity' ? gunzipSync(known) : known;
  };

  return (request) => {
    manifest ??= readManifest(folder);
    // Paths are compared, never decoded or joined to a folder.
    const entry = request.path === missingPath ? undefined : manifest.get(pathOf(request.path, options));
    const shown = entry ?? missing(request, manifest);
    const encoding = encodingOf(request.headers['accept-encoding'] ?? '');
    const etag = `"${shown.hash}-${encoding}"`;
    const common = { ...shared, 'cache-control': cacheControl(shown), etag };
    if (entry && matches(request.headers['if-none-match'] ?? '', etag)) {
      return { status: 304, headers: common, body: '' };
    }
    return {
      status: entry ? 200 : 404,
      headers: {
        ...common,
        'content-type': shown.type,
        ...(encoding !== 'identity' && { 'content-encoding': encoding }),
      },
      body: contentOf(shown, encoding),
    };
  };
}

function pathOf(path: string, { pageOfAll }: SiteOptions): string {
  return pageOfAll && !path.startsWith(pageOfAll.assets) ? pageOfAll.path : path;
}

function readManifest(folder: string): Map<string, ManifestEntry> {
  const entries: SiteManifest = JSON.parse(readFileSync(join(folder, manifestName), 'utf8'));
  return new Map(Object.entries(entries));
}

/** The page for people who ask for what does not exist. @throws Problem for programs */
function missing(
  { headers: { accept = '' } }: Pick<PublicRequest, 'headers'>,
  manifest: ReadonlyMap<string, ManifestEntry>,
) {
  const page = manifest.get(missingPath);
  if (!page || !accept.includes('text/html')) throw new Problem('not_found', 'The path does not exist.');
  return page;
}

const cacheControl = ({ isImmutable }: ManifestEntry): string =>
  isImmutable ? 'public, max-age=31536000, immutable' : 'public, max-age=300';

/** The best of the encodings that the client accepts (RFC 9110, section 12.5.3). */
function encodingOf(accepted: string): Encoding {
  const weights = new Map(
    accepted.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';');
      const weight = parameters.map((one) => /^\s*q=([\d.]+)\s*$/i.exec(one)?.[1]).find(Boolean);
      return [name.trim().toLowerCase(), Number(weight ?? 1)];
    }),
  );
  const takes = (name: string) => (weights.get(name) ?? weights.get('*') ?? 0) > 0;
  if (takes('br')) return 'br';
  return takes('gzip') ? 'gzip' : 'identity';
}

/** Weak comparison with the tags of `If-None-Match` (RFC 9110, section 13.1.2). */
function matches(condition: string, etag: string): boolean {
  return condition.split(',').some((tag) => [etag, '*'].includes(tag.trim().replace(/^W\//, '')));
}
