// biome-ignore-all lint/suspicious/noTemplateCurlyInString: CloudFormation's variable syntax
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { loadDeployment } from '../../lib/local/template.ts';

type Resources = Record<string, { Type: string; Properties?: unknown }>;

/** Writes an assembly of these stacks, by name and region, and loads it. */
function load(stacks: Record<string, { region: string; Resources: Resources; Outputs?: unknown }>) {
  const directory = mkdtempSync(join(tmpdir(), 'assembly-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const artifacts: Record<string, unknown> = {
    'Code.assets': { type: 'cdk:asset-manifest', properties: { file: 'Code.assets.json' } },
  };
  for (const [name, { region, ...template }] of Object.entries(stacks)) {
    writeFileSync(join(directory, `${name}.json`), JSON.stringify(template));
    artifacts[name] = {
      type: 'aws:cloudformation:stack',
      environment: `aws://111111111111/${region}`,
      properties: { templateFile: `${name}.json` },
    };
  }
  const destinations = { current: { objectKey: 'abc.zip' } };
  writeFileSync(
    join(directory, 'Code.assets.json'),
    JSON.stringify({ files: { abc: { source: { path: 'asset.abc' }, destinations } } }),
  );
  mkdirSync(join(directory, 'asset.abc'));
  writeFileSync(join(directory, 'manifest.json'), JSON.stringify({ artifacts }));
  const deployment = loadDeployment({
    directory,
    urls: { gateway: 'http://127.0.0.1:1', api: 'http://127.0.0.1:2' },
    localise: (text) => text.replace('https://sqs.us-east-1.amazonaws.com', 'http://127.0.0.1:1'),
  });
  return { deployment, directory };
}

describe('loadDeployment', () => {
  it('resolves references within a stack, across stacks and to local hosts', () => {
    const { deployment, directory } = load({
      Data: {
        region: 'us-east-1',
        Resources: {
          Table: { Type: 'AWS::DynamoDB::Table', Properties: { TableName: 'things' } },
          Unnamed: { Type: 'AWS::SQS::Queue' },
        },
        Outputs: {
          Stream: { Value: { 'Fn::GetAtt': ['Table', 'StreamArn'] }, Export: { Name: 'Data:Stream' } },
        },
      },
      Workers: {
        region: 'eu-central-1',
        Resources: {
          Role: { Type: 'AWS::IAM::Role' },
          Worker: {
            Type: 'AWS::Lambda::Function',
            Properties: {
              FunctionName: { 'Fn::Sub': 'worker-${AWS::Region}' },
              Role: { 'Fn::GetAtt': ['Role', 'Arn'] },
              Code: { S3Bucket: 'assets', S3Key: 'abc.zip' },
              Environment: { Variables: { URL: 'https://sqs.us-east-1.amazonaws.com/111111111111/mail' } },
              Stream: { 'Fn::ImportValue': 'Data:Stream' },
            },
          },
        },
      },
    });
    expect(deployment.ofType('AWS::Lambda::Function')).toEqual([
      {
        type: 'AWS::Lambda::Function',
        stack: 'Workers',
        region: 'eu-central-1',
        logicalId: 'Worker',
        ref: 'worker-eu-central-1',
        arn: 'arn:aws:lambda:eu-central-1:111111111111:function:worker-eu-central-1',
        properties: {
          FunctionName: 'worker-eu-central-1',
          Role: 'arn:aws:iam::111111111111:role/Workers-Role',
          Code: { S3Bucket: 'assets', S3Key: 'abc.zip' },
          Environment: { Variables: { URL: 'http://127.0.0.1:1/111111111111/mail' } },
          Stream: 'arn:aws:dynamodb:us-east-1:111111111111:table/things/stream/local',
        },
        codeFolder: join(directory, 'asset.abc'),
      },
    ]);
    expect(deployment.ofType('AWS::SQS::Queue').map(({ ref, arn }) => ({ ref, arn }))).toEqual([
      {
        ref: 'http://127.0.0.1:1/111111111111/Data-Unnamed',
        arn: 'arn:aws:sqs:us-east-1:111111111111:Data-Unnamed',
      },
    ]);
  });

  it('omits ignored types and rejects unknown ones', () => {
    const alarm = { Alarm: { Type: 'AWS::CloudWatch::Alarm' } };
    const { deployment } = load({ Data: { region: 'us-east-1', Resources: alarm } });
    expect(deployment.ofType('AWS::SQS::Queue')).toEqual([]);
    const unknown = { Cluster: { Type: 'AWS::ECS::Cluster' } };
    expect(() => load({ Data: { region: 'us-east-1', Resources: unknown } })).toThrow('AWS::ECS::Cluster');
  });

  it('rejects unresolved attributes, imports and resources', () => {
    const role = (value: unknown) => ({
      Role: { Type: 'AWS::IAM::Role', Properties: { RoleName: 'role', Value: value } },
    });
    const loading = (value: unknown) => () => load({ Data: { region: 'us-east-1', Resources: role(value) } });
    expect(loading({ 'Fn::GetAtt': ['Role', 'Colour'] })).toThrow('Colour of Role');
    expect(loading({ 'Fn::ImportValue': 'Nothing' })).toThrow('no stack exports Nothing');
    expect(loading({ Ref: 'Nobody' })).toThrow('Data has no resource Nobody');
  });
});
