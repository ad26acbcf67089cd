/** The path of a request: below `/api/v2`, unless it names a version. */
export const apiPath = (target: string): string => (target.startsWith('/api/') ? target : `/api/v2${target}`);
