import { describe, expect, it } from 'vitest';
import { createAccessControl } from '../../lib/local/access-control.ts';
import type { Statement } from '../../lib/local/iam.ts';
import {
  apiGatewayAssumingRole,
  apiGatewayInvoking,
  lambdaAssumingRole,
  schedulerAssumingRole,
  sesActing,
  snsSending,
  usingTopicKey,
} from '../../lib/local/service-principals.ts';

const account = '111111111111';
const role = `arn:aws:iam::${account}:role/worker`;
const rule = `arn:aws:ses:us-east-1:${account}:receipt-rule-set/mail:receipt-rule/catch-all`;

const trusting = (service: string, Condition?: Statement['Condition']): Statement => ({
  Effect: 'Allow',
  Principal: { Service: service },
  Action: 'sts:AssumeRole',
  ...(Condition && { Condition }),
});
const control = (policies: {
  identity?: Statement[];
  trust?: Statement[];
  resource?: Record<string, Statement[]>;
}) =>
  createAccessControl({
    identity: new Map([[role, policies.identity ?? []]]),
    trust: new Map([[role, policies.trust ?? []]]),
    resource: new Map(Object.entries(policies.resource ?? {})),
  });
const sourceAccount = { StringEquals: { 'aws:SourceAccount': account } };

describe('mayAssume', () => {
  it('denies API Gateway when the trust policy requires aws:SourceAccount', () => {
    const may = (statement: Statement) =>
      control({ trust: [statement] }).mayAssume(apiGatewayAssumingRole, role);
    expect(may(trusting('apigateway.amazonaws.com'))).toBe(true);
    expect(may(trusting('apigateway.amazonaws.com', sourceAccount))).toBe(false);
    expect(may(trusting('lambda.amazonaws.com'))).toBe(false);
  });

  it('allows Scheduler by account and schedule group', () => {
    const may = (condition: Statement['Condition'], group = 'mail') =>
      control({ trust: [trusting('scheduler.amazonaws.com', condition)] }).mayAssume(
        schedulerAssumingRole('us-east-1', account, group),
        role,
      );
    const groupArn = `arn:aws:scheduler:us-east-1:${account}:schedule-group/mail`;
    const byGroup = { ...sourceAccount, ArnLike: { 'aws:SourceArn': groupArn } };
    expect([may(sourceAccount), may(byGroup), may(byGroup, 'other')]).toEqual([true, true, false]);
    // A single schedule is never the source.
    expect(may({ ArnLike: { 'aws:SourceArn': `${groupArn.replace('-group', '')}/one` } })).toBe(false);
  });

  it('denies Lambda when the trust policy requires a source', () => {
    const may = (statement: Statement) => control({ trust: [statement] }).mayAssume(lambdaAssumingRole, role);
    expect(may(trusting('lambda.amazonaws.com'))).toBe(true);
    expect(may(trusting('lambda.amazonaws.com', sourceAccount))).toBe(false);
  });
});

describe('serviceMay', () => {
  const allowing = (service: string, action: string, Condition?: Statement['Condition']): Statement => ({
    Effect: 'Allow',
    Principal: { Service: service },
    Action: action,
    Resource: '*',
    ...(Condition && { Condition }),
  });

  it('allows SES to write objects by account and receipt rule', () => {
    const bucket = 'arn:aws:s3:::raw';
    const may = (condition: Statement['Condition']) =>
      control({
        resource: { [bucket]: [allowing('ses.amazonaws.com', 's3:PutObject', condition)] },
      }).serviceMay(sesActing(account, rule), 's3:PutObject', `${bucket}/inbound/1`);
    expect(may({ ...sourceAccount, ArnEquals: { 'aws:SourceArn': rule } })).toBe(true);
    expect(may({ ArnEquals: { 'aws:SourceArn': `${rule}-2` } })).toBe(false);
  });

  it('denies SES the key of a topic when the key policy has a condition', () => {
    const key = `arn:aws:kms:us-east-1:${account}:key/1`;
    const may = (condition?: Statement['Condition']) =>
      control({
        resource: { [key]: [allowing('ses.amazonaws.com', 'kms:GenerateDataKey*', condition)] },
      }).serviceMay(usingTopicKey(sesActing(account, rule)), 'kms:GenerateDataKey', key);
    expect([may(), may(sourceAccount)]).toEqual([true, false]);
  });

  it('allows API Gateway to invoke a function for the API of the permission only', () => {
    const functionArn = `arn:aws:lambda:us-east-1:${account}:function:api`;
    const may = (sourceArn: string, path: string | null) =>
      control({
        resource: {
          [functionArn]: [
            allowing('apigateway.amazonaws.com', 'lambda:InvokeFunction', {
              ArnLike: { 'aws:SourceArn': sourceArn },
            }),
          ],
        },
      }).serviceMay(
        apiGatewayInvoking({ region: 'us-east-1', account, apiId: 'a1', method: 'GET', path }),
        'lambda:InvokeFunction',
        functionArn,
      );
    const api = (id: string) => `arn:aws:execute-api:us-east-1:${account}:${id}/*/*`;
    expect([may(api('a1'), '/things/{id}'), may(api('a1'), null), may(api('b2'), '/things/{id}')]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it('denies services without a resource-based policy', () => {
    expect(control({}).serviceMay(sesActing(account, rule), 'sns:Publish', 'arn:topic')).toBe(false);
  });
});

describe('roleMay', () => {
  const allow = (action: string): Statement => ({ Effect: 'Allow', Action: action, Resource: '*' });
  const queue = `arn:aws:sqs:us-east-1:${account}:mail`;
  const key = `arn:aws:kms:us-east-1:${account}:key/1`;
  const delegating: Statement = {
    Effect: 'Allow',
    Principal: { AWS: `arn:aws:iam::${account}:root` },
    Action: 'kms:*',
    Resource: '*',
  };

  it('denies when the resource-based policy denies', () => {
    const deny: Statement = { Effect: 'Deny', Principal: '*', Action: 'sqs:*', Resource: '*' };
    const may = (statements: Statement[]) =>
      control({ identity: [allow('sqs:SendMessage')], resource: { [queue]: statements } }).roleMay(role, {
        action: 'sqs:SendMessage',
        resource: queue,
      });
    expect([may([]), may([deny])]).toEqual([true, false]);
  });

  it('needs a key policy that delegates, besides the identity-based policy', () => {
    const may = (keyPolicy: Statement[], identity: Statement[]) =>
      control({ identity, resource: { [key]: keyPolicy } }).roleMay(role, {
        action: 'kms:Decrypt',
        resource: key,
      });
    expect(may([delegating], [allow('kms:Decrypt')])).toBe(true);
    expect(may([delegating], [])).toBe(false);
    expect(may([], [allow('kms:Decrypt')])).toBe(false);
  });
});

describe('snsSending', () => {
  it.each([
    ['eu-central-1', 'sns.amazonaws.com'],
    ['eu-south-1', 'sns.eu-south-1.amazonaws.com'],
  ])('uses the principal of the region %s', (region, service) => {
    expect(snsSending(`arn:aws:sns:${region}:${account}:mail`)).toEqual({
      service,
      context: { 'aws:SourceArn': [`arn:aws:sns:${region}:${account}:mail`] },
    });
  });
});
