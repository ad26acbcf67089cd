/** The path of a request: below `/api/v2`, unless it is a whole URL, or names a version or a route of the console. */
export const apiPath = (target: string): string =>
  /^(?:https?:\/\/|\/(?:api|console)\/)/.test(target) ? target : `/api/v2${target}`;
