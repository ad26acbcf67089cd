import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { settings, templates, templatesOf } from './templates.ts';

const warmOf = ({ properties }: { readonly properties: Record<string, unknown> }) =>
  properties.WarmThroughput;

describe('prewarm settings', () => {
  const warm = templatesOf(
    settingsOf({ ...settings, prewarmEmailsPerSecond: 500, prewarmSendFunctions: 20 }),
  );
  const [table] = warm.of('AWS::DynamoDB::Table');

  it('give the table and its indexes warm throughput, never less than a new table has', () => {
    expect(table && warmOf(table)).toEqual({ ReadUnitsPerSecond: 30_000, WriteUnitsPerSecond: 21_000 });
    const indexes = table?.properties.GlobalSecondaryIndexes as readonly Record<string, unknown>[];
    expect(indexes.map(({ WarmThroughput }) => WarmThroughput)).toEqual(
      Array(2).fill({ ReadUnitsPerSecond: 12_000, WriteUnitsPerSecond: 4000 }),
    );
  });

  it('let the API invoke a version of POST /emails with provisioned concurrency', () => {
    const [alias] = warm.of('AWS::Lambda::Alias');
    expect(alias?.properties.ProvisionedConcurrencyConfig).toEqual({ ProvisionedConcurrentExecutions: 20 });
    expect(warm.of('AWS::Lambda::Version')).toHaveLength(1);
    const permitted = warm.of('AWS::Lambda::Permission').map(({ properties }) => properties.FunctionName);
    expect(permitted).toContainEqual({ Ref: alias?.logicalId });
    const api = warm.of('AWS::ApiGatewayV2::Api').find(({ properties }) => properties.Body);
    const body = api?.properties.Body as { paths: Record<string, unknown> };
    expect(JSON.stringify(body.paths['/api/v2/emails'])).toContain(`{"Ref":"${alias?.logicalId}"}`);
  });

  it('publish another version when only the environment changes', () => {
    const other = templatesOf(
      settingsOf({ ...settings, prewarmSendFunctions: 20, docsUrl: 'https://docs.example.com' }),
    );
    const same = templatesOf(settingsOf({ ...settings, prewarmSendFunctions: 20 }));
    const versionOf = ({ of }: typeof other) => of('AWS::Lambda::Version')[0]?.logicalId;
    expect(versionOf(same)).toBe(versionOf(warm));
    expect(versionOf(other)).not.toBe(versionOf(warm));
  });

  it('are off by default', () => {
    expect(templates().of('AWS::DynamoDB::Table').map(warmOf)).toEqual([undefined]);
    expect(templates().of('AWS::Lambda::Alias')).toEqual([]);
  });
});
