import { describe, expect, it } from 'vitest';
import { expressionsOf, withCondition } from '../../../lib/storage/table/expressions.ts';

describe('expressionsOf', () => {
  it('builds one SET clause from every part of a change', () => {
    const change = {
      set: { name: 'A', note: null, left: undefined },
      setOnce: { createdAt: 5 },
      increment: { count: 2 },
      append: { list: ['x'] },
    };
    expect(expressionsOf(change, { exists: true, equal: { name: 'B' } })).toEqual({
      UpdateExpression:
        'SET #name = :name, #note = :note, #createdAt = if_not_exists(#createdAt, :createdAt), ' +
        '#count = if_not_exists(#count, :zero) + :count, #list = list_append(#list, :list)',
      ConditionExpression: 'attribute_exists(pk) AND #name = :expected_name',
      ExpressionAttributeNames: {
        '#name': 'name',
        '#note': 'note',
        '#createdAt': 'createdAt',
        '#count': 'count',
        '#list': 'list',
      },
      ExpressionAttributeValues: {
        ':name': 'A',
        ':note': null,
        ':createdAt': 5,
        ':zero': 0,
        ':count': 2,
        ':list': ['x'],
        ':expected_name': 'B',
      },
    });
  });

  it('builds a condition alone when there is no change', () => {
    expect(expressionsOf({}, { exists: false })).toEqual({ ConditionExpression: 'attribute_not_exists(pk)' });
  });
});

describe('withCondition', () => {
  it('keeps the names and values of the change when it adds a condition', () => {
    const expressions = withCondition(expressionsOf({ set: { until: 9 } }), {
      ConditionExpression: '#until <= :now',
      ExpressionAttributeValues: { ':now': 3 },
    });
    expect(expressions).toEqual({
      UpdateExpression: 'SET #until = :until',
      ConditionExpression: '#until <= :now',
      ExpressionAttributeNames: { '#until': 'until' },
      ExpressionAttributeValues: { ':until': 9, ':now': 3 },
    });
  });
});
