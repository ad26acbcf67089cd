import { describe, expect, it } from 'vitest';
import { traceExecutions } from '../../lib/constructs/concurrency.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import { settingsOf } from '../../lib/settings.ts';
import { addChecks } from '../../lib/stacks/checks.ts';
import { account, settings, templates, templatesOf } from './templates.ts';

const names = namesOf(settings);

describe('traceSampling', () => {
  const traced = templatesOf(settingsOf({ ...settings, traceSampling: 0.05 }));
  const filters = traced.of('AWS::Logs::SubscriptionFilter');
  const recorder = traced
    .of('AWS::Lambda::Function')
    .find(({ properties }) => properties.FunctionName === names.tracesFunction);

  it('of 0 changes no template', () => {
    expect(templatesOf(settingsOf({ ...settings, traceSampling: 0 })).texts).toEqual(templates().texts);
    expect(templates().of('AWS::Logs::SubscriptionFilter')).toEqual([]);
  });

  it('changes no other stack than that of the operations', () => {
    const changed = [...traced.texts].flatMap(([name, text]) =>
      text === templates().texts.get(name) ? [] : [name],
    );
    expect(changed).toEqual(['Parley-Operations']);
  });

  it('leads the lines of both log groups to the function, as CloudWatch Logs may by then', () => {
    const groups = ['api', 'workers'].map((of) => `/parley/${of}`);
    expect(filters.map(({ properties }) => properties)).toEqual(
      groups.map((LogGroupName) => ({
        LogGroupName,
        FilterPattern: '{ $.emails[*].email_id = %[0]$% }',
        DestinationArn: { 'Fn::GetAtt': [recorder?.logicalId, 'Arn'] },
      })),
    );
    const permissions = filters.map(({ dependsOn: [id], stack }) =>
      traced.resources.find((one) => one.logicalId === id && one.stack === stack),
    );
    expect(permissions.map((one) => one?.properties)).toMatchObject(
      groups.map((group) => ({
        Principal: 'logs.amazonaws.com',
        SourceAccount: account,
        SourceArn: `arn:aws:logs:${settings.homeRegion}:${account}:log-group:${group}:*`,
      })),
    );
  });

  it('lets the function write to a log group that no filter reads, and to X-Ray, and nothing else', () => {
    const { LogGroup } = recorder?.properties.LoggingConfig ?? {};
    const group = traced.of('AWS::Logs::LogGroup').find(({ logicalId }) => logicalId === LogGroup.Ref);
    expect(group?.properties).toEqual(
      expect.objectContaining({ LogGroupName: '/parley/traces', RetentionInDays: 30 }),
    );
    expect(filters.map(({ properties }) => properties.LogGroupName)).not.toContain('/parley/traces');
    const role = traced
      .of('AWS::IAM::Role')
      .find(({ logicalId }) => logicalId === recorder?.properties.Role['Fn::GetAtt'][0]);
    expect(role?.properties.Policies[0].PolicyDocument.Statement).toEqual([
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: `arn:aws:logs:${settings.homeRegion}:${account}:log-group:/parley/traces:*`,
      },
      { Effect: 'Allow', Action: 'xray:PutTraceSegments', Resource: '*' },
    ]);
  });

  it('reserves what the function may take of the concurrency, where Lambda lets it', () => {
    expect(recorder?.properties.ReservedConcurrentExecutions).toBe(20);
    expect([10, 100, 101, 102, 200, 1000, 30_000].map(traceExecutions)).toEqual([
      ...[undefined, undefined, undefined, 2, 4, 20, 20],
    ]);
    const small = templatesOf(settingsOf({ ...settings, traceSampling: 1, lambdaConcurrency: 10 }));
    const [function_] = small
      .of('AWS::Lambda::Function')
      .filter(({ properties }) => properties.FunctionName === names.tracesFunction);
    expect(function_?.properties).not.toHaveProperty('ReservedConcurrentExecutions');
  });

  it('passes the AWS Solutions rules and the rules of CloudFormation', () => {
    expect(() => templatesOf(settingsOf({ traceSampling: 1 }), { checks: addChecks })).not.toThrow();
  });

  it.each([['2'], ['-1'], ['some']])('is refused where it is no share: %s', (traceSampling) => {
    expect(() => settingsOf({ traceSampling })).toThrow(/traceSampling: (must be at|is not)/);
  });
});
