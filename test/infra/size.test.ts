/** Sizes of the templates and of what functions get, against the quotas of AWS, with settings as long as they may be. */
import { afterAll, describe, expect, it } from 'vitest';
import { sharedEnvironmentName } from '../../lib/env.ts';
import { settingsOf } from '../../lib/settings.ts';
import { longestSettings } from '../support/longest-settings.ts';
import { type Properties, type Templates, templatesOf } from './templates.ts';

/** What the CDK CLI passes to the app, metadata among it. */
const cliContext = { 'aws:cdk:enable-path-metadata': true, 'aws:cdk:enable-asset-metadata': true };
const contextBefore = process.env.CDK_CONTEXT_JSON;
afterAll(() => {
  if (contextBefore === undefined) delete process.env.CDK_CONTEXT_JSON;
  else process.env.CDK_CONTEXT_JSON = contextBefore;
});

let known: Templates | undefined;
function longest(): Templates {
  process.env.CDK_CONTEXT_JSON = JSON.stringify(cliContext);
  known ??= templatesOf(settingsOf(longestSettings));
  return known;
}

/** Bytes; CloudFormation takes 1,000,000 ("Understand CloudFormation quotas"). */
const bytesMax: Readonly<Record<string, number>> = {
  Api: 350_000,
  Workers: 175_000,
  Operations: 100_000,
  Data: 25_000,
  Mail: 50_000,
};

describe('the template', () => {
  it('of each stack is far below the quota of CloudFormation when settings are long and the account is unknown', () => {
    const sizes = [...longest().texts].map(([name, text]) => ({ name, bytes: Buffer.byteLength(text) }));
    expect(sizes).toHaveLength(4 + longestSettings.mailRegions.length);
    expect(sizes.filter(({ name, bytes }) => !(bytes <= (bytesMax[name.split('-')[1] ?? ''] ?? 0)))).toEqual(
      [],
    );
  });

  it('has no metadata and no indentation, whatever the CDK CLI asks for', () => {
    for (const text of longest().texts.values()) {
      expect(text).not.toContain('"Metadata":');
      expect(text).not.toContain('\n ');
    }
  });
});

describe('the environment', () => {
  it('of a function is in the template once, and within the 4 KB of Lambda when settings are long', () => {
    for (const { stack, properties } of functionsOf(longest())) {
      expect(Object.keys(properties.Environment.Variables)).toEqual([sharedEnvironmentName]);
      const [parameter, attribute] = properties.Environment.Variables[sharedEnvironmentName]['Fn::GetAtt'];
      expect(attribute).toBe('Value');
      const shared = longest().resources.find(
        ({ logicalId, stack: owner }) => owner === stack && logicalId === parameter,
      );
      const value = deployed(shared?.properties.Value);
      expect(Object.keys(JSON.parse(value))).toContain('TABLE_NAME');
      expect(value).not.toContain('{{');
      // "Lambda quotas" (AWS Lambda Developer Guide); a standard parameter has as much ("Managing parameter tiers", AWS Systems Manager User Guide).
      expect(Buffer.byteLength(sharedEnvironmentName + value)).toBeLessThanOrEqual(4096);
    }
  });
});

const functionsOf = (templates: Templates) =>
  templates.of('AWS::Lambda::Function').filter(({ properties }) => properties.FunctionName);

/** A value with the longest of what CloudFormation puts in. */
function deployed(value: Properties): string {
  if (typeof value === 'string') return value;
  if (value['Fn::Join']) {
    const [separator, parts] = value['Fn::Join'];
    return parts.map(deployed).join(separator);
  }
  if (value.Ref === 'AWS::AccountId') return '111111111111';
  if (value['Fn::GetAtt']?.[1] === 'ApiEndpoint' || /ApiEndpoint/.test(value['Fn::ImportValue'])) {
    return 'wss://a1b2c3d4e5.execute-api.ap-southeast-1.amazonaws.com';
  }
  if (/Secrets/.test(value['Fn::ImportValue'])) {
    return 'arn:aws:kms:ap-southeast-1:111111111111:key/12345678-1234-1234-1234-123456789012';
  }
  throw new Error(`cannot evaluate ${JSON.stringify(value)}`);
}
