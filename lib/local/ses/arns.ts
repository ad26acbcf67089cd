/** Amazon Resource Names of SES resources. */

/** The ARN of a resource of one region: `identity/acme.test`, `configuration-set/NAME`. */
export type ArnOf = (resource: string) => string;

/** @param account twelve digits */
export function sesArns(account: string, region: string): ArnOf {
  return (resource) => `arn:aws:ses:${region}:${account}:${resource}`;
}
