import type { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { workers } from '../../functions/workers.ts';
import { grantsOfOperation, statementsOf } from '../../lib/constructs/grants.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { list, permissionsIn, permissionsOf } from './permissions.ts';
import { account, type Resource, settings, templates } from './templates.ts';

const names = namesOf(settings);

const functions = (): readonly Resource[] =>
  templates()
    .of('AWS::Lambda::Function')
    .filter(({ properties }) => properties.FunctionName);

describe('permissions', () => {
  it('of every function match the committed matrix', async () => {
    const everyOperation = operations.map(({ id }) => names.apiFunction(id));
    const holders = new Map<string, Set<string>>();
    for (const fn of functions()) {
      for (const { action, resource, condition } of permissionsOf(fn)) {
        const permission = `${action} on ${resource}${condition}`;
        holders.set(permission, (holders.get(permission) ?? new Set()).add(fn.properties.FunctionName));
      }
    }
    const sections = [...holders.keys()].sort().map((permission) => {
      const held = holders.get(permission) ?? new Set();
      const isEvery = everyOperation.length > 1 && everyOperation.every((name) => held.has(name));
      const lines = [...held].filter((name) => !(isEvery && everyOperation.includes(name))).sort();
      return [permission, ...(isEvery ? ['every operation'] : []), ...lines].join('\n  ');
    });
    await expect(`${sections.join('\n\n')}\n`).toMatchFileSnapshot('iam.txt');
  });

  it('belong to a role that functions share only when they have exactly the same permissions', () => {
    const roleOf = ({ stack, properties }: Resource) => `${stack} ${properties.Role['Fn::GetAtt'][0]}`;
    const permissions = (fn: Resource) => `${fn.stack} ${JSON.stringify(permissionsOf(fn))}`;
    const byRole = Map.groupBy(functions(), roleOf);
    const byPermissions = Map.groupBy(functions(), permissions);
    expect(byPermissions.size).toBe(byRole.size);
    expect(byRole.size).toBeLessThan(functions().length);
    expect(functions().length).toBeGreaterThan(workers.length + operations.length);
  });

  it('are those of the contract, and the log group of the stack, when the function is an operation', () => {
    const targets = {
      names,
      mailRegions: settings.mailRegions,
      secretsKeyArn: 'the secrets key',
      sharedAppSecretArns: [],
    };
    const everyPermission = (statements: readonly PolicyStatement[]) =>
      permissionsIn(statements.map((statement) => statement.toStatementJson())).map(
        ({ action, resource, condition }) => `${action} on ${resource}${condition}`,
      );
    for (const contract of operations) {
      const fn = functions().find(
        ({ properties }) => properties.FunctionName === names.apiFunction(contract.id),
      );
      const held = fn ? permissionsOf(fn).filter(({ action }) => !action.startsWith('logs:')) : [];
      const expected = everyPermission(statementsOf(grantsOfOperation(contract), targets));
      expect(
        held.map(({ action, resource, condition }) => `${action} on ${resource}${condition}`).sort(),
        contract.id,
      ).toEqual([...new Set(expected)].sort());
    }
  });

  it('name their resources, except to read limits and rule sets of SES', () => {
    const wide = functions().flatMap((fn) => permissionsOf(fn).filter(({ resource }) => resource === '*'));
    // These actions support no resource.
    expect([...new Set(wide.map(({ action }) => action))].sort()).toEqual([
      'ses:DescribeActiveReceiptRuleSet',
      'ses:GetAccount',
    ]);
  });

  it('on the secrets key are for one purpose each, and only those that call mail providers decrypt secrets of two purposes', () => {
    const purpose = /"kms:EncryptionContext:purpose":"([\w-]+)"/;
    const used = functions().flatMap((fn) =>
      permissionsOf(fn)
        .filter(({ action }) => action.startsWith('kms:'))
        .map((one) => ({ fn: fn.logicalId, ...one })),
    );
    expect(used.length).toBeGreaterThan(10);
    expect(used.filter(({ condition }) => !purpose.test(condition))).toEqual([]);
    const opened = Object.groupBy(
      used.filter(({ action }) => action === 'kms:Decrypt'),
      ({ fn }) => fn,
    );
    // What calls mail providers needs tokens and client secrets; the state of a callback is signed with the link secret.
    const both = Object.entries(opened).filter(([, of]) => (of?.length ?? 0) > 1);
    expect(both.map(([fn]) => fn.replace(/[0-9A-F]{8}.*$/, '')).sort()).toEqual([
      'FunctionsConnectCallback',
      'FunctionsConnectStart',
      'FunctionsMailboxesConnect',
      'FunctionsReceiveMailboxMail',
      'FunctionsRunTask',
      'FunctionsSendMailboxMail',
      'FunctionsSyncMailbox',
    ]);
  });

  it('have no wildcard in an action', () => {
    const wide = functions().flatMap((fn) => permissionsOf(fn).filter(({ action }) => action.includes('*')));
    expect(wide).toEqual([]);
  });

  it('never include Scan or PartiQL on the table', () => {
    const actions = templates()
      .resources.filter(({ type }) => type.startsWith('AWS::IAM::'))
      .flatMap(({ properties }) => [...JSON.stringify(properties).matchAll(/"Action":(\[[^\]]*\]|"[^"]*")/g)])
      .flatMap(([, named = '[]']) => list<string>(JSON.parse(named)));
    expect(actions).toContain('dynamodb:Query');
    expect(actions.filter((action) => /^\*|^dynamodb:.*(?:Scan|PartiQL|Export|[*?])/.test(action))).toEqual(
      [],
    );
  });

  it('to send messages and create schedules belong to workers only: operations write to the outbox', () => {
    const holders = functions()
      .filter((fn) => permissionsOf(fn).some(({ action }) => /^sqs:SendMessage$|Schedule$/.test(action)))
      .map(({ properties }) => properties.FunctionName);
    expect(holders.sort()).toEqual(
      ['extract-text', 'forward-delayed', 'publish-event', 'relay', 'release-mail', 'sweep'].map((id) =>
        names.workerFunction(id),
      ),
    );
  });

  it('on all resources are limited to reads of SES, the activation of the receipt rule set, and key policies', () => {
    const wide = templates()
      .resources.filter(({ type }) => type.startsWith('AWS::IAM::'))
      .filter(({ properties }) => /"Resource":"\*"/.test(JSON.stringify(properties)))
      .flatMap(({ stack, logicalId }) => {
        const users = functions().filter(
          (fn) => fn.stack === stack && fn.properties.Role['Fn::GetAtt'][0] === logicalId,
        );
        return users.length > 0
          ? users.map(({ properties }) => properties.FunctionName)
          : logicalId.replace(/[0-9A-F]{8}$/, '');
      });
    expect([...new Set(wide)]).toEqual([
      ...['release-mail', 'send-mail', 'run-task', 'check-mail'].map((id) => names.workerFunction(id)),
      'ActiveReceiptRuleSetCustomResourcePolicy',
    ]);
  });

  it('to write logs name the log group of the own stack only', () => {
    for (const fn of functions()) {
      const group = names.logGroup(fn.stack.endsWith('Api') ? 'api' : 'workers');
      const logs = permissionsOf(fn).filter(({ action }) => action.startsWith('logs:'));
      expect(new Set(logs.map(({ resource }) => resource))).toEqual(
        new Set([`logs:${settings.homeRegion}:log-group:${group}:*`]),
      );
    }
  });

  it('to update the table are limited to API keys, audit entries and request budgets when the operation needs no other update', () => {
    const readOnly = operations.filter(
      ({ access }) => !access.some((grant) => /^table:(put|update|delete)$/.test(grant)),
    );
    for (const { id } of readOnly) {
      const fn = functions().find(({ properties }) => properties.FunctionName === names.apiFunction(id));
      const writes = fn
        ? permissionsOf(fn).filter(({ action }) => /(Put|Update|Delete)Item$/.test(action))
        : [];
      const allowed = [
        ['UpdateItem', 'KEYHASH#*'],
        ['PutItem', 'W#*#AUDIT'],
        ['UpdateItem', 'BUDGET#*'],
      ];
      expect(writes.sort((a, b) => (a.condition < b.condition ? 1 : -1))).toEqual(
        allowed
          .sort((a, b) => ((a[1] ?? '') < (b[1] ?? '') ? 1 : -1))
          .map(([action, keys]) => ({
            action: `dynamodb:${action}`,
            resource: expect.any(String),
            condition: ` when {"ForAllValues:StringLike":{"dynamodb:LeadingKeys":["${keys}"]}}`,
          })),
      );
    }
  });
});

describe('services', () => {
  it('may assume a role for this account only, except Lambda, whose trust policies have no condition', () => {
    for (const { properties, logicalId } of templates().of('AWS::IAM::Role')) {
      const [{ Principal, Condition }] = properties.AssumeRolePolicyDocument.Statement;
      if (Principal.Service === 'lambda.amazonaws.com') continue;
      expect(Condition?.StringEquals?.['aws:SourceAccount'], logicalId).toBe(account);
    }
  });

  it('may write to a bucket, a topic or a queue for this account only', () => {
    const policies = templates().resources.filter(({ type }) => /^AWS::(S3|SNS|SQS)::\w*Policy$/.test(type));
    expect(policies.length).toBeGreaterThan(20);
    for (const { properties, logicalId } of policies) {
      for (const statement of properties.PolicyDocument.Statement) {
        if (statement.Effect === 'Deny' || statement.Principal.Service === 'cloudwatch.amazonaws.com')
          continue;
        expect(JSON.stringify(statement.Condition), logicalId).toContain(account);
      }
    }
  });
});
