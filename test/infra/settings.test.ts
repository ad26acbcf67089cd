import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { InvalidSettings, settingsFromContext, settingsOf } from '../../lib/settings.ts';

const fromContext = (context: Record<string, unknown>) => settingsFromContext((name) => context[name]);

describe('settingsOf', () => {
  it('returns the default of each setting when none is given', () => {
    expect(settingsOf({})).toEqual({
      prefix: 'Parley',
      account: '',
      brand: 'Parley',
      apiDomain: '',
      apiCertificateArn: '',
      apiHostedZoneId: '',
      apiBaseUrl: '',
      apiProxy: false,
      canaryMinutes: 10,
      traceSampling: 0,
      monthlyBudgetUsd: 0,
      costAnomalyUsd: 0,
      costMonitorArn: '',
      docsUrl: '',
      providedDomain: '',
      tableName: '',
      tableStreamArn: '',
      backupDays: 35,
      mailRegions: ['us-east-1', 'eu-central-1'],
      defaultRegion: 'us-east-1',
      homeRegion: 'us-east-1',
      supportEmail: '',
      standbyRegion: '',
      standbyOf: '',
      takeOver: false,
      secretsKeyArn: '',
      eventRetentionDays: 30,
      droppedMailDays: 30,
      mailRetentionDays: 0,
      lambdaConcurrency: 1000,
      prewarmEmailsPerSecond: 0,
      prewarmSendFunctions: 0,
      spreadWorkspaces: [],
      budgetUnitsPerSecond: 50,
      budgetCapacity: 500,
      budgetInFlight: 32,
      recipientsPerHour: 10_000,
      recipientsPerDay: 50_000,
      sesTenants: false,
      linkDomains: [],
      googleAppSecretArn: '',
      microsoftAppSecretArn: '',
      alarmEmail: '',
      local: {
        allowInsecureWebhooks: false,
        dnsServers: [],
        mailProviders: { google: {}, microsoft: {} },
      },
    });
  });

  it('are all in the table of docs/deploying.md', () => {
    const page = readFileSync('docs/deploying.md', 'utf8');
    const table = page.slice(page.indexOf('## Settings'), page.indexOf('## Host of the API'));
    const rows = table.split('\n').filter((line) => line.startsWith('| `'));
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    const { local, ...settings } = settingsOf({});
    expect(named.sort()).toEqual([...Object.keys(settings), 'requestCeiling'].sort());
  });

  it('derives regions and the support address when they are not given', () => {
    const settings = fromContext({
      mailRegions: 'eu-central-1, us-east-1',
      providedDomain: 'mail.example.com',
    });
    expect(settings).toMatchObject({
      mailRegions: ['eu-central-1', 'us-east-1'],
      defaultRegion: 'eu-central-1',
      homeRegion: 'eu-central-1',
      supportEmail: 'no-reply@mail.example.com',
    });
  });

  it('ignores settings of the local cloud when they come from the command line', () => {
    const settings = fromContext({ local: { allowInsecureWebhooks: true }, allowInsecureWebhooks: 'on' });
    expect(settings.local.allowInsecureWebhooks).toBe(false);
  });

  const certificate = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/1b2c-3d`;
  const api = { apiDomain: 'api.example.com', apiHostedZoneId: 'Z0123456789ABC' };

  it('reads link domains with their certificates when they come from the command line', () => {
    const linkDomains = `links.acme.dev=${certificate('us-east-1')}, l.b.dev=${certificate('us-east-1')}`;
    expect(fromContext({ ...api, linkDomains }).linkDomains).toEqual([
      { name: 'links.acme.dev', certificateArn: certificate('us-east-1') },
      { name: 'l.b.dev', certificateArn: certificate('us-east-1') },
    ]);
  });

  it.each([
    [{ linkDomains: `links.acme.dev=${certificate('us-east-1')}` }, /linkDomains: needs apiDomain/],
    [{ ...api, linkDomains: 'links.acme.dev' }, /certificateArn: has no certificate/],
    [{ ...api, linkDomains: 'links.acme.dev=x' }, /certificateArn: is not the ARN/],
    [{ ...api, linkDomains: `a.b.dev=${certificate('eu-west-1')}` }, /another region than homeRegion/],
    [
      { ...api, linkDomains: ['', ''].map(() => `a.b.dev=${certificate('us-east-1')}`).join() },
      /names a domain twice/,
    ],
  ])('throws when link domains cannot be served: %j', (context, message) => {
    expect(() => fromContext(context)).toThrow(message);
  });

  const busy = `wks_${'0'.repeat(32)}`;

  it('reads workspaces that are spread when they come from the command line', () => {
    const other = `wks_${'1'.repeat(32)}`;
    const spreadWorkspaces = `${busy}@2026-12-01T00:00:00Z, ${other}@2027-01-01T12:00:00.500Z`;
    expect(fromContext({ spreadWorkspaces }).spreadWorkspaces).toEqual([
      { workspace: busy, from: '2026-12-01T00:00:00Z' },
      { workspace: other, from: '2027-01-01T12:00:00.500Z' },
    ]);
  });

  it.each([
    ['acme@2026-12-01T00:00:00Z', /workspace: is not the id of a workspace/],
    [busy, /from: is not a time in UTC/],
    [`${busy}@2026-12-01`, /from: is not a time in UTC/],
    [`${busy}@2026-12-01T00:00:00+01:00`, /from: is not a time in UTC/],
    [`${busy}@2026-12-01T00:00:00Z,${busy}@2027-12-01T00:00:00Z`, /names a workspace twice/],
    [
      Array.from(
        { length: 11 },
        (_, at) => `wks_${String(at).padStart(32, '0')}@2026-12-01T00:00:00Z`,
      ).join(),
      /has more than 3 workspaces/,
    ],
  ])('throws when workspaces cannot be spread: %s', (spreadWorkspaces, message) => {
    expect(() => fromContext({ spreadWorkspaces })).toThrow(message);
  });

  it.each([
    [api, 'https://api.example.com'],
    [{ ...api, apiBaseUrl: 'https://api.example.com/' }, 'https://api.example.com/'],
    [{ apiBaseUrl: 'https://mail.acme.dev/api', apiProxy: 'true' }, 'https://mail.acme.dev/api'],
    [{}, ''],
  ])('has the URL of the API of %j', (context, url) => {
    expect(fromContext(context).apiBaseUrl).toBe(url);
  });

  it.each([
    [{ apiDomain: 'api.example.com' }, /apiDomain: needs apiCertificateArn or apiHostedZoneId/],
    [{ apiHostedZoneId: api.apiHostedZoneId }, /apiDomain: is missing/],
    [
      { apiDomain: 'api.example.com', apiHostedZoneId: '/hostedzone/Z1' },
      /is not the id of a Route 53 hosted zone/,
    ],
    [{ apiDomain: 'api.example.com', apiCertificateArn: 'x' }, /apiCertificateArn: is not the ARN/],
    [
      { apiDomain: 'api.example.com', apiCertificateArn: certificate('eu-west-1') },
      /apiCertificateArn: is of another region than homeRegion/,
    ],
    [{ apiBaseUrl: 'https://api.example.com' }, /apiBaseUrl: leads nowhere: set apiDomain/],
    [{ ...api, apiBaseUrl: 'https://other.example.com' }, /apiBaseUrl: leads nowhere/],
  ])('throws when the host of the API cannot lead to it: %j', (context, message) => {
    expect(() => fromContext(context)).toThrow(message);
  });

  it.each([
    [{ mailRegions: 'nowhere' }, /mailRegions\.0: is not an AWS region/],
    [{ mailRegions: 'eu-central-2' }, /mailRegions\.0: is not a region in which SES receives email/],
    [{ mailRegions: 'us-gov-west-1' }, /mailRegions\.0: is not in the partition "aws"/],
    [{ homeRegion: 'cn-north-1' }, /homeRegion: is not in the partition "aws"/],
    [{ mailRegions: 'us-east-1,us-east-1' }, /mailRegions: names a region twice/],
    [{ defaultRegion: 'ap-south-1' }, /defaultRegion: is not one of mailRegions/],
    [{ providedDomain: 'Mail.Example' }, /providedDomain: is not a domain name/],
    [{ apiBaseUrl: 'api.example.com' }, /apiBaseUrl: is not a URL/],
    [{ supportEmail: 'nobody' }, /supportEmail: is not an email address/],
    [{ googleAppSecretArn: 'google-app' }, /googleAppSecretArn: is not the ARN of a Secrets Manager secret/],
    [{ brand: 'Müller' }, /brand: must be a letter/],
    [{ account: '12' }, /account: is not an account id/],
    [{ eventRetentionDays: '1' }, /eventRetentionDays: must be at least 2/],
    [{ mailRetentionDays: '-1' }, /mailRetentionDays: must be at least 0/],
    [{ droppedMailDays: '0' }, /droppedMailDays: must be at least 1/],
    [{ docsUrl: 'https://docs.example.com'.padEnd(301, '/') }, /docsUrl: is longer than 300 characters/],
    [
      { supportEmail: `${'a'.repeat(64)}@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.example` },
      /supportEmail: is longer than 254 characters/,
    ],
    [{ lambdaConcurrency: '9' }, /lambdaConcurrency: must be at least 10/],
    [{ prewarmEmailsPerSecond: '-1' }, /prewarmEmailsPerSecond: must be at least 0/],
    [{ prewarmSendFunctions: '501' }, /prewarmSendFunctions: is more than half of lambdaConcurrency/],
    [{ lambdaConcurrency: 'many' }, /lambdaConcurrency: is not a number/],
    [{ standbyRegion: 'us-east-1' }, /standbyRegion: is homeRegion/],
    [{ standbyOf: 'us-east-1' }, /standbyOf: is homeRegion/],
    [{ standbyOf: 'us-west-2' }, /standbyOf: needs secretsKeyArn and tableStreamArn of homeRegion/],
    [{ standbyOf: 'us-west-2', standbyRegion: 'us-east-2' }, /standbyRegion: is for the deployment/],
    [{ takeOver: 'true' }, /standbyOf: is missing/],
    [{ secretsKeyArn: 'arn:aws:kms:us-east-1:111111111111:key/1' }, /is not the ARN of a multi-Region key/],
  ])('throws InvalidSettings that names the setting when it cannot be deployed: %j', (context, message) => {
    expect(() => fromContext(context)).toThrow(InvalidSettings);
    expect(() => fromContext(context)).toThrow(message);
  });
});
