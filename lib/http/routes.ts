/** Which path has which methods: how the fallback tells 404 from 405. */
import type { Method } from './contract.ts';

export interface Route {
  readonly method: Method;
  /** With path parameters in braces: `/api/v2/spaces/{space_id}`. */
  readonly path: string;
}

/** The order in which `Allow` names methods. */
const methodOrder: readonly Method[] = ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'];

/**
 * The methods of the path that `path` stands for, or null where there is none. As at the gateway, a literal segment
 * counts before a parameter: `/pacing-rules/spread` is no `/pacing-rules/{rule_id}`.
 *
 * @param path as it came, without the query
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
  return (
    expected.length === given.length &&
    expected.every((segment, at) => (segment.startsWith('{') ? given[at] !== '' : given[at] === segment))
  );
}

const parameters = (template: string): number => template.split('{').length - 1;
