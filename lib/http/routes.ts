/** Finds the methods of a path, so that the fallback can answer 404 or 405. */
import type { Method } from './contract.ts';

export interface Route {
  readonly method: Method;
  /** With path parameters in braces: `/api/v2/spaces/{space_id}`. */
  readonly path: string;
}

/** The order of methods in `Allow`. */
const methodOrder: readonly Method[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

/**
 * The methods of the route template that matches `path`, or null when none does. As in API Gateway, a literal segment
 * takes precedence over a parameter: `/pacing-rules/spread` does not match `/pacing-rules/{rule_id}`.
 *
 * @param path of the request, without the query
 */
export function allowedMethods(routes: readonly Route[], path: string): Method[] | null {
  const templates = [...new Set(routes.map((route) => route.path))].filter((template) =>
    matches(template, path),
  );
  const [best] = templates.sort((a, b) => parameters(a) - parameters(b));
  if (best === undefined) return null;
  return methodOrder.filter((method) =>
    routes.some((route) => route.path === best && route.method === method),
  );
}

function matches(template: string, path: string): boolean {
  const expected = template.split('/');
  const given = path.split('/');
  if (template.endsWith('+}')) return path.startsWith(template.slice(0, template.lastIndexOf('{')));
  return (
    expected.length === given.length &&
    expected.every((segment, at) => (segment.startsWith('{') ? given[at] !== '' : given[at] === segment))
  );
}

/** A greedy template comes last. */
const parameters = (template: string): number =>
  template.split('{').length - 1 + (template.endsWith('+}') ? 100 : 0);
