import { describe, expect, it } from 'vitest';
import { snsPrincipals } from '../../lib/constructs/sns-principals.ts';
import { settingsOf } from '../../lib/settings.ts';
import { account, type Properties, type Templates, templatesOf } from './templates.ts';

/** The longest names that settings allow. */
const longest = settingsOf({
  account,
  prefix: 'Abcdefghijklmnop',
  mailRegions: ['ap-southeast-1', 'ap-northeast-1'],
});

/** Quotas of AWS for the length of names, by resource type and property. */
const lengthMax: Readonly<Record<string, readonly [property: string, characters: number]>> = {
  'AWS::S3::Bucket': ['BucketName', 63],
  'AWS::Lambda::Function': ['FunctionName', 64],
  'AWS::IAM::Role': ['RoleName', 64],
  'AWS::SQS::Queue': ['QueueName', 80],
  'AWS::Scheduler::ScheduleGroup': ['Name', 64],
  'AWS::SES::ConfigurationSet': ['Name', 64],
  'AWS::SES::ReceiptRuleSet': ['RuleSetName', 64],
};

let known: Templates | undefined;
function ofLongest(): Templates {
  known ??= templatesOf(longest);
  return known;
}

describe('the names of resources', () => {
  it.each(Object.entries(lengthMax))(
    '%s stay within their quota for the longest prefix',
    (type, [name, max]) => {
      const names = ofLongest()
        .of(type)
        .flatMap(({ properties }) => (properties[name] as string | undefined) ?? []);
      expect(names.length).toBeGreaterThan(0);
      expect(names.filter((one) => one.length > max)).toEqual([]);
    },
  );

  it('names stay within their quota when the account is not known', () => {
    const { of } = templatesOf(settingsOf({ ...longest, account: '', local: undefined }));
    const lengths = of('AWS::S3::Bucket').map(({ properties }) => {
      const [, parts] = properties.BucketName['Fn::Join'] as Properties;
      return (parts as (string | object)[])
        .map((part) => (typeof part === 'string' ? part.length : account.length))
        .reduce((sum, length) => sum + length, 0);
    });
    expect(Math.max(...lengths)).toBeLessThanOrEqual(63);
  });
});

describe('snsPrincipals', () => {
  const names = (topics: string[], queue: string) =>
    snsPrincipals(topics, queue).map(({ service }) => service);

  it('is sns.amazonaws.com between regions that are enabled by default, and inside a region', () => {
    expect(names(['us-east-1', 'eu-central-1'], 'eu-central-1')).toEqual(['sns.amazonaws.com']);
    expect(names(['eu-south-1'], 'eu-south-1')).toEqual(['sns.amazonaws.com']);
  });

  it('has the opt-in region of the topic when the queue is in a region that is enabled by default', () => {
    expect(names(['us-east-1', 'eu-south-1'], 'us-east-1')).toEqual([
      'sns.amazonaws.com',
      'sns.eu-south-1.amazonaws.com',
    ]);
  });

  it('has the region of the queue when that is opt-in', () => {
    expect(names(['us-east-1', 'me-south-1'], 'eu-south-1')).toEqual(['sns.eu-south-1.amazonaws.com']);
  });
});
