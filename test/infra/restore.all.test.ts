import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../lib/settings.ts';
import { account, settings, templates, templatesOf } from './templates.ts';

const tableStreamArn = `arn:aws:dynamodb:us-east-1:${account}:table/parley-2/stream/2026-01-31T12:00:00.000`;

describe('backups', () => {
  it('keep what was deleted for as long as the table can be restored', () => {
    const { of } = templatesOf(settingsOf({ ...settings, backupDays: 7 }));
    expect(of('AWS::DynamoDB::Table').map(({ properties }) => properties)).toMatchObject([
      { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: 7 } },
    ]);
    const versioned = of('AWS::S3::Bucket').filter(({ properties }) => properties.VersioningConfiguration);
    expect(versioned.map(({ properties }) => properties.BucketName.replace(/-\d.*/, '')).sort()).toEqual([
      'parley-content',
      'parley-raw-mail',
      'parley-raw-mail',
    ]);
    for (const { properties } of versioned) {
      expect(properties.LifecycleConfiguration.Rules).toContainEqual({
        ExpiredObjectDeleteMarker: true,
        NoncurrentVersionExpiration: { NoncurrentDays: 7 },
        Status: 'Enabled',
      });
    }
  });

  it('are of resources that stay when their stack is deleted, and go when its creation fails', () => {
    const kept = ['AWS::DynamoDB::Table', 'AWS::S3::Bucket'].flatMap((type) => templates().of(type));
    const [secrets] = templates()
      .of('AWS::KMS::Key')
      .filter(({ stack }) => stack === 'Parley-Data');
    expect(new Set([...kept, secrets].map((resource) => resource?.deletionPolicy))).toEqual(
      new Set(['RetainExceptOnCreate']),
    );
  });
});

describe('a table that is adopted', () => {
  const adopted = templatesOf(settingsOf({ account, tableName: 'parley-2', tableStreamArn }));

  it('is another resource with the same properties', () => {
    const [before] = templatesOf(settingsOf({ account })).of('AWS::DynamoDB::Table');
    const [after] = adopted.of('AWS::DynamoDB::Table');
    expect(after?.logicalId).not.toBe(before?.logicalId);
    expect(after?.properties).toEqual({ ...before?.properties, TableName: 'parley-2' });
  });

  it('renames no dashboard', () => {
    const names = adopted.of('AWS::CloudWatch::Dashboard').map(({ properties }) => properties.DashboardName);
    expect(names.sort()).toEqual(['parley', 'parley-queues']);
  });

  it('is named by every function, grant and alarm, and by no export', () => {
    expect(adopted.texts.get('Parley-Data')).not.toContain('StreamArn');
    const others = ['Parley-Workers', 'Parley-Api', 'Parley-Operations'].map(
      (stack) => adopted.texts.get(stack) ?? '',
    );
    for (const text of others) expect(text).toContain('parley-2');
    expect(others.join('')).not.toMatch(/table\/parley["/]/);
    const [relay] = adopted
      .of('AWS::Lambda::EventSourceMapping')
      .filter(({ properties }) => properties.EventSourceArn === tableStreamArn);
    expect(relay).toBeDefined();
  });

  it('has a stream of its own', () => {
    expect(() => settingsOf({ tableStreamArn })).toThrow(
      'tableStreamArn: is of another table than tableName',
    );
    expect(() => settingsOf({ tableName: 'a b' })).toThrow('tableName');
    expect(() => settingsOf({ backupDays: 36 })).toThrow('backupDays: must be at most 35');
  });
});
