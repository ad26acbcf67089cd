/** What the console's files are served with. */
import type { SiteOptions } from './site.ts';

/** Below it are files whose names have the hash of their content; every other path is a page of the application. */
export const consoleAssets = '/console/assets/';

export const consoleSite: SiteOptions = {
  policy:
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; frame-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  pageOfAll: { path: '/console', assets: consoleAssets },
};
