/** Matches requests against routes of the form `GET /things/{thing_id}`. */

/**
 * The first route of a method and a path, with its decoded path parameters; null: none matches.
 *
 * @param routes by method and path; `{name}` matches one segment
 */
export function matchPattern<T>(
  routes: Readonly<Record<string, T>>,
  method: string,
  path: string,
): { readonly route: T; readonly parameters: Record<string, string> } | null {
  for (const [key, route] of Object.entries(routes)) {
    const [routeMethod, pattern = ''] = key.split(' ');
    if (routeMethod !== method) continue;
    const groups = expressionOf(pattern).exec(path);
    if (!groups) continue;
    const parameters = Object.entries(groups.groups ?? {}).map(([name, value]) => [
      name,
      decodeURIComponent(value),
    ]);
    return { route, parameters: Object.fromEntries(parameters) };
  }
  return null;
}

function expressionOf(pattern: string): RegExp {
  const literal = pattern.replace(/[.$()]/g, '\\$&');
  return new RegExp(`^${literal.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
