/** What the console's files are served with. */
import type { SiteOptions } from './site.ts';

/** Below it are files whose names have the hash of their content; every other path is a page of the application. */
export const consoleAssets = '/console/assets/';

/** @param liveUrl of the WebSocket API, to which the pages connect */
export const consoleSite = (liveUrl: string): SiteOptions => ({
  policy: `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self' ${new URL(liveUrl).origin}; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  pageOfAll: { path: '/console', assets: consoleAssets },
});
