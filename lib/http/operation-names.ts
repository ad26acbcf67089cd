/** Names of operations in the OpenAPI documents, from which generators make the names of functions and types. */
import type { Contract } from './contract.ts';

/** Verbs whose operations return several of what the group is named after. */
const pluralVerbs: ReadonlySet<string> = new Set(['list', 'search']);

/** The group of an operation, which is its tag: `emails`, in both versions. */
export const groupOf = (id: string): string => id.slice(0, id.lastIndexOf('.')).replace(/^v1\./, '');

/**
 * The `operationId`: verb, object, rest. `emails.send` is `sendEmail`, `emails.list` is `listEmails`, `emails.list-engagements`
 * is `listEmailEngagements`; in version 1 likewise, as a document has operations of one version.
 */
export function operationName({ id, operationId }: Pick<Contract, 'id' | 'operationId'>): string {
  if (operationId !== undefined) return operationId;
  const [verb = '', ...rest] = id.slice(id.lastIndexOf('.') + 1).split('-');
  const group = groupOf(id);
  const isPlural = pluralVerbs.has(verb) && rest.length === 0;
  const words = [verb, isPlural ? group : group.replace(/(?<=x)es$|s$/, ''), ...rest].join('-');
  return words.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** `email.needs_reauth` and `sendEmail` as names of types: `EmailNeedsReauth`, `SendEmail`. */
export function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|[._-])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
