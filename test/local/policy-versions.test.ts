import { describe, expect, it } from 'vitest';
import { createIamApi } from '../../lib/local/aws/iam-api.ts';
import type { AwsCall } from '../../lib/local/aws/service.ts';
import type { Statement } from '../../lib/local/iam.ts';
import { createBoundaries } from '../../lib/local/policy-versions.ts';

const arn = 'arn:aws:iam::111111111111:policy/parley-functions-us-east-1';
const role = 'arn:aws:iam::111111111111:role/worker';
const request = { action: 'ses:SendEmail', resource: 'arn:aws:ses:us-east-1:111111111111:identity/a.test' };
const everything: Statement = { Effect: 'Allow', Action: '*', Resource: '*' };
const nothing = '{"Version":"2012-10-17","Statement":[{"Effect":"Deny","Action":"*","Resource":"*"}]}';

function newIam() {
  const boundaries = createBoundaries(null);
  boundaries.deploy(new Map([[arn, [everything]]]), new Map([[role, arn]]));
  const service = createIamApi(boundaries);
  const call = async (parameters: Readonly<Record<string, string>>) => {
    const body = Buffer.from(new URLSearchParams({ PolicyArn: arn, ...parameters }).toString());
    return String((await service.handle({ body } as AwsCall)).body);
  };
  return { boundaries, call };
}

const fence = { Action: 'CreatePolicyVersion', PolicyDocument: nothing, SetAsDefault: 'true' };

describe('the boundary of a role', () => {
  it('allows what its default version allows, which a call of IAM changes', async () => {
    const { boundaries, call } = newIam();
    expect(boundaries.allows(role, request)).toBe(true);
    expect(await call(fence)).toContain('<VersionId>v2</VersionId><IsDefaultVersion>true</IsDefaultVersion>');
    expect(boundaries.allows(role, request)).toBe(false);
    expect(boundaries.allows('arn:aws:iam::111111111111:role/other', request)).toBe(true);
    await call({ Action: 'SetDefaultPolicyVersion', VersionId: 'v1' });
    expect(boundaries.allows(role, request)).toBe(true);
    await call({ Action: 'DeletePolicyVersion', VersionId: 'v2' });
    expect(await call({ Action: 'ListPolicyVersions' })).not.toContain('v2');
  });

  it('has five versions at most, and keeps its default one', async () => {
    const { boundaries, call } = newIam();
    for (let version = 2; version <= 5; version++) await call(fence);
    await expect(call(fence)).rejects.toMatchObject({ code: 'LimitExceeded', status: 409 });
    await expect(call({ Action: 'DeletePolicyVersion', VersionId: 'v5' })).rejects.toMatchObject({
      code: 'DeleteConflict',
    });
    await call({ Action: 'DeletePolicyVersion', VersionId: 'v2' });
    expect(await call(fence)).toContain('<VersionId>v6</VersionId>');
    expect(boundaries.allows(role, request)).toBe(false);
  });

  it('refuses what is no policy, and a version or policy that is not there', async () => {
    const { call } = newIam();
    await expect(call({ ...fence, PolicyDocument: '{' })).rejects.toMatchObject({
      code: 'MalformedPolicyDocument',
    });
    await expect(call({ ...fence, PolicyDocument: '{"Statement":1}' })).rejects.toMatchObject({
      code: 'MalformedPolicyDocument',
    });
    await expect(call({ Action: 'SetDefaultPolicyVersion', VersionId: 'v9' })).rejects.toMatchObject({
      code: 'NoSuchEntity',
    });
    await expect(call({ ...fence, PolicyArn: `${arn}2` })).rejects.toMatchObject({ code: 'NoSuchEntity' });
  });
});
