import { describe, expect, it } from 'vitest';
import { isAllowed, type Statement } from '../../lib/local/iam.ts';

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
    const numeric = { NumericLessThan: { 'a:b': ['1'] } };
    expect(() => isAllowed([allow('*', '*', numeric)], needed)).toThrow('NumericLessThan');
    expect(() => isAllowed([{ Effect: 'Allow', NotAction: 'a:C', Resource: '*' }], needed)).toThrow(
      'NotAction',
    );
  });
});
