import { describe, expect, it } from 'vitest';
import { evaluatePolicy, isAllowed, type Statement } from '../../lib/local/iam.ts';

const table = 'arn:aws:dynamodb:us-east-1:111111111111:table/parley';

function allow(
  action: string | string[],
  resource: string | string[],
  condition?: Statement['Condition'],
): Statement {
  return { Effect: 'Allow', Action: action, Resource: resource, ...(condition && { Condition: condition }) };
}

describe('isAllowed', () => {
  it('denies without statements', () => {
    expect(isAllowed([], { action: 'dynamodb:GetItem', resource: table })).toBe(false);
  });

  it.each([
    ['dynamodb:GetItem', table, true],
    ['DynamoDB:getitem', table, true],
    ['dynamodb:Get*', table, true],
    ['dynamodb:?etItem', table, true],
    ['*', '*', true],
    ['dynamodb:PutItem', table, false],
    ['dynamodb:Get', table, false],
    ['dynamodb:GetItem', `${table}/index/*`, false],
    ['dynamodb:GetItem', table.toUpperCase(), false],
    ['dynamodb:GetItem', table.replace('us-east-1', '*'), true],
    ['dynamodb:GetItem', table.replace('.', '?'), true],
  ])('%s on %s: %s', (action, resource, expected) => {
    expect(isAllowed([allow(action, resource)], { action: 'dynamodb:GetItem', resource: table })).toBe(
      expected,
    );
  });

  it('denies when a statement denies', () => {
    const statements: Statement[] = [
      allow('*', '*'),
      { Effect: 'Deny', Action: 'dynamodb:*', Resource: table },
    ];
    expect(isAllowed(statements, { action: 'dynamodb:GetItem', resource: table })).toBe(false);
    expect(isAllowed(statements, { action: 's3:GetObject', resource: 'arn:aws:s3:::bucket/key' })).toBe(true);
  });

  it('requires all conditions, and fails absent keys except for ForAllValues', () => {
    const needs = (operator: string, keys: string[] | undefined) =>
      isAllowed([allow('*', '*', { [operator]: { 'dynamodb:LeadingKeys': ['KEYHASH#*', 'SLUG#x'] } })], {
        action: 'dynamodb:UpdateItem',
        resource: table,
        ...(keys && { context: { 'dynamodb:LeadingKeys': keys } }),
      });
    expect(needs('ForAllValues:StringLike', ['KEYHASH#1', 'SLUG#x'])).toBe(true);
    expect(needs('ForAllValues:StringLike', ['KEYHASH#1', 'W#1'])).toBe(false);
    expect(needs('ForAllValues:StringLike', undefined)).toBe(true);
    expect(needs('ForAnyValue:StringLike', ['KEYHASH#1', 'W#1'])).toBe(true);
    expect(needs('StringEquals', ['KEYHASH#1'])).toBe(false);
    expect(needs('StringEquals', ['SLUG#x'])).toBe(true);
    expect(needs('StringLike', undefined)).toBe(false);
  });

  it('throws for unsupported elements', () => {
    const needed = { action: 'a:B', resource: 'r' };
    const numeric = { NumericGreaterThan: { 'a:b': ['1'] } };
    expect(() => isAllowed([allow('*', '*', numeric)], needed)).toThrow('NumericGreaterThan');
    expect(() => isAllowed([{ Effect: 'Allow', NotAction: 'a:C', Resource: '*' }], needed)).toThrow(
      'NotAction',
    );
  });
});

describe('evaluatePolicy', () => {
  const queue = 'arn:aws:sqs:us-east-1:111111111111:inbound';
  const topicArn = 'arn:aws:sns:us-east-1:111111111111:inbound';
  const statements: Statement[] = [
    {
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 'sqs:*',
      Resource: queue,
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    },
    {
      Effect: 'Allow',
      Principal: { Service: 'sns.amazonaws.com' },
      Action: 'sqs:SendMessage',
      Resource: queue,
      Condition: { ArnEquals: { 'AWS:SourceArn': [topicArn, 'arn:other'] } },
    },
  ];
  const decide = (
    service: string,
    context: Record<string, string[]> = {},
    policy: readonly Statement[] = statements,
  ) => evaluatePolicy(policy, { service }, { action: 'sqs:SendMessage', resource: queue, context });

  it.each([
    ['the service with the source', 'sns.amazonaws.com', { 'aws:SourceArn': [topicArn] }, 'allow'],
    ['another source', 'sns.amazonaws.com', { 'aws:SourceArn': ['arn:aws:sns:x'] }, 'none'],
    ['no source', 'sns.amazonaws.com', {}, 'none'],
    ['another service', 'ses.amazonaws.com', { 'aws:SourceArn': [topicArn] }, 'none'],
    [
      'plain http',
      'sns.amazonaws.com',
      { 'aws:SourceArn': [topicArn], 'aws:SecureTransport': ['false'] },
      'deny',
    ],
  ])('decides for %s', (_what, service, context, decision) => {
    expect(decide(service, context)).toBe(decision);
  });

  it('delegates to IAM policies when it allows the root of the account', () => {
    const root: Statement = {
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::111111111111:root' },
      Action: 'kms:*',
      Resource: '*',
    };
    const request = { action: 'kms:Decrypt', resource: 'arn:key' };
    const of = (account: string) => evaluatePolicy([root], { account }, request);
    expect([of('111111111111'), of('222222222222')]).toEqual(['delegated', 'none']);
    expect(evaluatePolicy([root], { service: 'ses.amazonaws.com' }, request)).toBe('none');
  });
});
