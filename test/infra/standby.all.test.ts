/** The stacks of a deployment with a standby, and those of the standby (docs/regions.md). */
import { describe, expect, it } from 'vitest';
import { type SettingsInput, settingsOf } from '../../lib/settings.ts';
import { addChecks } from '../../lib/stacks/checks.ts';
import { account, type Templates, templatesOf } from './templates.ts';

const regions: SettingsInput = {
  account,
  mailRegions: ['us-east-1', 'eu-central-1'],
  providedDomain: 'mail.example.com',
};
const standbyInput: SettingsInput = {
  ...regions,
  homeRegion: 'us-west-2',
  standbyOf: 'eu-central-1',
  secretsKeyArn: `arn:aws:kms:us-west-2:${account}:key/mrk-0123456789abcdef0123456789abcdef`,
  tableStreamArn: `arn:aws:dynamodb:us-west-2:${account}:table/parley/stream/2026-11-26T00:00:00.000`,
};
const checked = (input: SettingsInput) => templatesOf(settingsOf(input), { checks: addChecks });
const home = checked({ ...regions, homeRegion: 'eu-central-1', standbyRegion: 'us-west-2' });
const idle = checked(standbyInput);
const active = checked({ ...standbyInput, takeOver: true });

const namesOf = ({ of }: Templates, type: string, name: string) =>
  of(type).map(({ properties }) => properties[name] as string);
const sourcesOf = ({ of }: Templates) => of('AWS::Lambda::EventSourceMapping');
const withoutBoundary = ({ of }: Templates) =>
  of('AWS::IAM::Role').filter(
    ({ stack, properties }) => /-(Workers|Api)$/.test(stack) && !properties.PermissionsBoundary,
  );
const boundaries = ({ of }: Templates) =>
  new Set(of('AWS::IAM::Role').flatMap(({ properties }) => properties.PermissionsBoundary ?? []));

describe('a deployment with a standby', () => {
  it('copies the table, the secrets key and the files of emails to the region of the standby', () => {
    const calls = home.resources
      .filter(({ type }) => /^Custom::CopyOf/.test(type))
      .map(({ properties }) => JSON.stringify(properties.Create));
    expect(calls.join()).toContain('ReplicaUpdates');
    expect(calls.join()).toContain('ReplicaRegion');
    expect(home.of('AWS::DynamoDB::Table')[0]?.properties.StreamSpecification).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
    expect(home.of('AWS::KMS::Key')[0]?.properties.MultiRegion).toBe(true);
    const [content] = home
      .of('AWS::S3::Bucket')
      .filter(({ properties }) => properties.ReplicationConfiguration !== undefined);
    expect(content?.properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
    expect(content?.properties.ReplicationConfiguration).toMatchObject({
      Rules: [
        {
          Status: 'Enabled',
          Filter: { Prefix: 'w/' },
          DeleteMarkerReplication: { Status: 'Enabled' },
          Destination: { Bucket: `arn:aws:s3:::parley-content-${account}-us-west-2` },
        },
      ],
    });
  });

  it('has a bucket for the copies that is versioned, and in the region of the standby', () => {
    const standby = home.resources.filter(({ stack }) => stack === 'Parley-Standby');
    expect(new Set(standby.map(({ region }) => region))).toEqual(new Set(['us-west-2']));
    const bucket = standby.find(
      ({ properties }) => properties.BucketName === `parley-content-${account}-us-west-2`,
    );
    expect(bucket?.properties.VersioningConfiguration).toEqual({ Status: 'Enabled' });
  });
});

describe('a standby', () => {
  it('makes no table, no key and no bucket beside those of the copies', () => {
    expect(idle.of('AWS::DynamoDB::Table')).toEqual([]);
    expect(idle.resources.filter(({ stack }) => stack === 'Parley-Data')).toEqual([]);
    const own = ({ resources }: Templates) =>
      resources.filter(({ stack }) => stack === 'Parley-Standby').map(({ properties }) => properties);
    expect(own(idle)).toEqual(own(home));
    expect(own(active)).toEqual(own(home));
  });

  it('has no name of IAM in common with the home region', () => {
    const taken = new Set([
      ...namesOf(home, 'AWS::IAM::Role', 'RoleName'),
      ...home
        .of('AWS::IAM::ManagedPolicy')
        .filter(({ stack }) => stack !== 'Parley-Standby')
        .map(({ properties }) => properties.ManagedPolicyName as string),
    ]);
    taken.delete(undefined as never);
    const names = [
      ...namesOf(idle, 'AWS::IAM::Role', 'RoleName'),
      ...namesOf(idle, 'AWS::IAM::ManagedPolicy', 'ManagedPolicyName'),
    ].filter((name) => name !== undefined);
    expect(names).toHaveLength(2);
    expect(names.filter((name) => taken.has(name))).toEqual([]);
  });

  it('takes no message, reads no stream and has no timer until it takes over', () => {
    expect(sourcesOf(idle).length).toBeGreaterThan(10);
    expect(sourcesOf(idle).filter(({ properties }) => properties.Enabled !== false)).toEqual([]);
    expect(namesOf(idle, 'AWS::Scheduler::Schedule', 'State')).toEqual(
      namesOf(idle, 'AWS::Scheduler::Schedule', 'State').map(() => 'DISABLED'),
    );
    expect(sourcesOf(active).filter(({ properties }) => properties.Enabled === false)).toEqual([]);
    expect(namesOf(active, 'AWS::Scheduler::Schedule', 'State').filter(Boolean)).toEqual([]);
    expect(sourcesOf(home).filter(({ properties }) => properties.Enabled === false)).toEqual([]);
  });

  it('needs no change of a role to take over, since IAM is changed in us-east-1', () => {
    const roles = (templates: Templates) =>
      templates.resources
        .filter(({ type }) => type.startsWith('AWS::IAM::'))
        .map(({ stack, logicalId, properties }) => ({ stack, logicalId, properties }));
    expect(roles(active)).toEqual(roles(idle));
  });

  it('has the same stacks of the mail regions: notifications go to the queues of both regions', () => {
    const ofMail = ({ resources }: Templates) =>
      resources
        .filter(({ stack }) => stack.startsWith('Parley-Mail-'))
        .map(({ stack, logicalId, properties }) => ({ stack, logicalId, properties }));
    expect(ofMail(idle)).toEqual(ofMail(home));
    expect(ofMail(active)).toEqual(ofMail(home));
    const endpoints = home
      .of('AWS::SNS::Subscription')
      .filter(({ stack }) => stack === 'Parley-Mail-us-east-1')
      .map(({ properties }) => properties.Endpoint as string);
    expect(endpoints.toSorted()).toEqual(
      ['eu-central-1', 'us-west-2'].flatMap((region) =>
        ['inbound', 'provider-events'].map((queue) => `arn:aws:sqs:${region}:${account}:parley-${queue}`),
      ),
    );
  });
});

describe('the roles of functions', () => {
  it('are under the boundary of their region, which one command closes', () => {
    for (const templates of [home, idle, active]) expect(withoutBoundary(templates)).toEqual([]);
    expect(boundaries(home)).toEqual(
      new Set([`arn:aws:iam::${account}:policy/parley-functions-eu-central-1`]),
    );
    expect(boundaries(idle)).toEqual(new Set([`arn:aws:iam::${account}:policy/parley-functions-us-west-2`]));
  });

  it('have none without a standby', () => {
    expect(boundaries(templatesOf(settingsOf(regions)))).toEqual(new Set());
  });
});
