import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { adaptAssembly } from '../../../scripts/outside/adapt.ts';

function adapted(template: object) {
  const folder = mkdtempSync(join(tmpdir(), 'parley-adapt-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'Parley-Data.template.json');
  writeFileSync(file, JSON.stringify(template));
  const found = adaptAssembly(folder);
  return { found, template: JSON.parse(readFileSync(file, 'utf8')) };
}

it('adaptAssembly leaves out a resource and all references to it when its type is listed', () => {
  const { found, template } = adapted({
    Resources: {
      Api: { Type: 'AWS::ApiGatewayV2::Api' },
      Role: { Type: 'AWS::IAM::Role', DependsOn: ['Api', 'Key'], Properties: { Name: { Ref: 'Api' } } },
      Key: { Type: 'AWS::KMS::Key', DependsOn: 'Api', Properties: { Tags: [], Enabled: true } },
    },
    Outputs: { Url: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } } },
  });
  expect(template).toEqual({
    Resources: {
      Role: { Type: 'AWS::IAM::Role', DependsOn: ['Key'], Properties: { Name: 'left-out-Api' } },
      Key: { Type: 'AWS::KMS::Key', Properties: { Enabled: true } },
    },
    Outputs: { Url: { Value: 'left-out-Api' } },
  });
  expect(found).toEqual({
    types: new Map([['AWS::ApiGatewayV2::Api', 1]]),
    properties: new Set(['AWS::KMS::Key.Tags']),
  });
});
