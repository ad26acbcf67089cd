/** The part of IAM's API (AWS query protocol) that closes and opens the boundary of functions (docs/regions.md). */
import type { Statement } from '../iam.ts';
import type { PolicyVersion, PolicyVersions } from '../policy-versions.ts';
import { policyDocument } from '../resource-shapes.ts';
import { unsupported } from './json-protocol.ts';
import { queryError, queryResponse } from './query-protocol.ts';
import { elements } from './s3-xml.ts';
import { type AwsCall, AwsError, type AwsService } from './service.ts';

const namespace = 'https://iam.amazonaws.com/doc/2010-05-08/';
const actions = [
  'CreatePolicyVersion',
  'ListPolicyVersions',
  'SetDefaultPolicyVersion',
  'DeletePolicyVersion',
] as const;
type Action = (typeof actions)[number];

const parameters = (call: AwsCall) => new URLSearchParams(call.body.toString());

export function createIamApi(policies: PolicyVersions): AwsService {
  const actionOf = (call: AwsCall): Action => {
    const wanted = parameters(call).get('Action') ?? '';
    return actions.find((name) => name === wanted) ?? unsupported('iam', wanted);
  };

  function resultOf(call: AwsCall): string {
    const given = (name: string) => parameters(call).get(name) ?? '';
    const arn = given('PolicyArn');
    switch (actionOf(call)) {
      case 'CreatePolicyVersion': {
        const statements = statementsOf(given('PolicyDocument'));
        const version = policies.create(arn, statements, given('SetAsDefault') === 'true');
        return `<PolicyVersion>${fields(version)}</PolicyVersion>`;
      }
      case 'ListPolicyVersions': {
        const members = policies.list(arn).map((version) => `<member>${fields(version)}</member>`);
        return `${elements({ IsTruncated: 'false' })}<Versions>${members.join('')}</Versions>`;
      }
      case 'SetDefaultPolicyVersion':
        policies.setDefault(arn, given('VersionId'));
        return '';
      case 'DeletePolicyVersion':
        policies.delete(arn, given('VersionId'));
        return '';
    }
  }

  return {
    name: 'iam',
    action: actionOf,
    permissions: (call) => [
      { action: `iam:${actionOf(call)}`, resource: parameters(call).get('PolicyArn') ?? '' },
    ],
    errorResponse: (error) => queryError(error, namespace),
    handle: async (call) => queryResponse(actionOf(call), namespace, resultOf(call)),
  };
}

const fields = ({ id, isDefault }: PolicyVersion): string =>
  elements({ VersionId: id, IsDefaultVersion: String(isDefault) });

/** @throws AwsError for what is no policy document */
function statementsOf(json: string): readonly Statement[] {
  const malformed = new AwsError('MalformedPolicyDocument', 'Syntax errors in policy.');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw malformed;
  }
  const { success, data } = policyDocument.safeParse(value);
  if (!success) throw malformed;
  return data.Statement;
}
