// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation's variable syntax
import { describe, expect, it } from 'vitest';
import { evaluate, type References } from '../../lib/local/intrinsics.ts';

const references: References = {
  ref: (name) => `ref:${name}`,
  attribute: (logicalId, attribute) => `att:${logicalId}.${attribute}`,
  imported: (name) => `import:${name}`,
};

describe('evaluate', () => {
  it.each([
    [{ Ref: 'Table' }, 'ref:Table'],
    [{ 'Fn::GetAtt': ['Table', 'Arn'] }, 'att:Table.Arn'],
    [{ 'Fn::GetAtt': 'Table.Stream.Arn' }, 'att:Table.Stream.Arn'],
    [{ 'Fn::ImportValue': { 'Fn::Sub': '${AWS::Region}-x' } }, 'import:ref:AWS::Region-x'],
    [{ 'Fn::Join': [':', ['arn', { Ref: 'AWS::Partition' }, 's3']] }, 'arn:ref:AWS::Partition:s3'],
    [{ 'Fn::Select': [1, { 'Fn::Split': ['/', { 'Fn::Join': ['/', ['a', 'b']] }] }] }, 'b'],
    [{ 'Fn::Sub': ['${A}-${B.Arn}-${C}-${!D}', { A: 'given' }] }, 'given-att:B.Arn-ref:C-${D}'],
    [
      { a: [{ Ref: 'X' }, { Ref: 'AWS::NoValue' }], b: { Ref: 'AWS::NoValue' }, c: null },
      { a: ['ref:X'], c: null },
    ],
  ])('replaces %j', (value, expected) => {
    expect(evaluate(value, references)).toEqual(expected);
  });

  it('rejects an unsupported intrinsic', () => {
    expect(() => evaluate({ deep: [{ 'Fn::FindInMap': ['a', 'b', 'c'] }] }, references)).toThrow(
      'Fn::FindInMap',
    );
  });
});
