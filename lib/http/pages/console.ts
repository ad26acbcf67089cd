/** What the console's files are served with. */
import type { SiteOptions } from './site.ts';

/** Below it are files whose names have the hash of their content; every other path is a page of the application. */
export const consoleAssets = '/console/assets/';

/** @param origins of the WebSocket API, and of the bucket that takes uploads, to which the pages connect */
export const consoleSite = (origins: readonly string[]): SiteOptions => ({
  policy: `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' ${origins.join(' ')}; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  pageOfAll: { path: '/console', assets: consoleAssets },
});
