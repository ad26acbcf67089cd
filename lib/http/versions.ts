/** The versions of the API, told apart by their path (docs/decisions/0049-v1.md). */

export type ApiVersion = 1 | 2;

/** The version that a path belongs to. Paths outside of both versions belong to the current one. */
export function versionOf(path: string): ApiVersion {
  return path === '/api/v1' || path.startsWith('/api/v1/') ? 1 : 2;
}

/** Where the operations of a version are: `/api/v2`. */
export const basePathOf = (version: ApiVersion): string => `/api/v${version}`;
