/** What the roles of functions allow, read from the templates. */
import { account, type Properties, type Resource, templates } from './templates.ts';

export const list = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

export interface Permission {
  readonly action: string;
  readonly resource: string;
  readonly condition: string;
}

/** What the role of a function may do, one permission per action and resource. */
export function permissionsOf(fn: Resource): Permission[] {
  const roleId = fn.properties.Role['Fn::GetAtt'][0];
  const role = templates().resources.find(
    ({ stack, logicalId }) => stack === fn.stack && logicalId === roleId,
  );
  const attached = templates()
    .of('AWS::IAM::Policy')
    .filter(
      ({ stack, properties }) => stack === fn.stack && JSON.stringify(properties.Roles).includes(roleId),
    );
  const documents = [...(role?.properties.Policies ?? []), ...attached.map(({ properties }) => properties)];
  return permissionsIn(documents.flatMap(({ PolicyDocument }) => PolicyDocument.Statement));
}

/** One permission per action and resource of the statements of a policy. */
export function permissionsIn(statements: readonly Properties[]): Permission[] {
  return statements.flatMap((statement) =>
    list(statement.Action).flatMap((action: string) =>
      list(statement.Resource).map((resource) => ({
        action,
        resource: readable(resource),
        condition: statement.Condition ? ` when ${readable(statement.Condition)}` : '',
      })),
    ),
  );
}

/** An ARN without what all of them share; references by what they refer to. */
function readable(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text.includes('ImportValue'))
    return text.includes('Secrets') ? 'the secrets key' : "the table's stream";
  const local = /"Fn::GetAtt":\["(\w+?)[0-9A-F]{8}","Arn"\]/.exec(text);
  if (local) return local[1] ?? text;
  return text
    .replace(/^arn:aws:/, '')
    .replaceAll(`:${account}`, '')
    .replaceAll(`-${account}`, '');
}
