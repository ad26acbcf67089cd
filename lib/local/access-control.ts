/** Access control of one local cloud: evaluates role policies, trust policies and resource-based policies for each caller. */
import { localAccount } from './aws/service.ts';
import { type AccessRequest, type Decision, evaluatePolicy, isAllowed, type Statement } from './iam.ts';
import type { ServiceCaller } from './service-principals.ts';

/** The policies of a deployment by ARN. */
export interface Policies {
  /** Identity-based policies of roles. */
  readonly identity: ReadonlyMap<string, readonly Statement[]>;
  /** Trust policies of roles. */
  readonly trust: ReadonlyMap<string, readonly Statement[]>;
  /** Policies of queues, topics, buckets, keys and functions. */
  readonly resource: ReadonlyMap<string, readonly Statement[]>;
}

/** The policies of two deployments; of a resource that both have, those of `one`. */
export function mergePolicies(one: Policies, other: Policies): Policies {
  return {
    identity: new Map([...other.identity, ...one.identity]),
    trust: new Map([...other.trust, ...one.trust]),
    resource: new Map([...other.resource, ...one.resource]),
  };
}

export interface AccessControl {
  /** Whether a role may send a request, under its policies and the policy of the resource. */
  roleMay(roleArn: string, request: AccessRequest): boolean;
  /** Whether a resource-based policy allows a request of a service. */
  serviceMay(caller: ServiceCaller, action: string, resource: string): boolean;
  /** The JSON of a resource-based policy, as the API of its service returns it; null: the resource has none. */
  policyOf(arn: string): string | null;
  /** Whether a trust policy lets a service assume a role. */
  mayAssume(caller: ServiceCaller, roleArn: string): boolean;
}

export function createAccessControl({ identity, trust, resource }: Policies): AccessControl {
  function decisionOf(
    arn: string,
    principal: Parameters<typeof evaluatePolicy>[1],
    request: AccessRequest,
  ): Decision {
    const statements = resource.get(policyOwner(arn));
    return statements ? evaluatePolicy(statements, principal, withTransport(request)) : 'none';
  }

  return {
    roleMay(roleArn, request) {
      const decision = decisionOf(request.resource, { account: localAccount }, request);
      if (decision === 'deny') return false;
      const hasIdentityPermission = isAllowed(identity.get(roleArn) ?? [], request);
      // IAM policies have no effect on a key whose policy does not delegate (KMS developer guide, "Key policies in AWS KMS").
      if (request.action.startsWith('kms:')) {
        return decision === 'allow' || (decision === 'delegated' && hasIdentityPermission);
      }
      return decision === 'allow' || hasIdentityPermission;
    },
    serviceMay: ({ service, context }, action, arn) =>
      decisionOf(arn, { service }, { action, resource: arn, context }) === 'allow',
    policyOf: (arn) => {
      const statements = resource.get(arn);
      return statements ? JSON.stringify({ Version: '2012-10-17', Statement: statements }) : null;
    },
    mayAssume: ({ service, context }, roleArn) =>
      evaluatePolicy(
        trust.get(roleArn) ?? [],
        { service },
        { action: 'sts:AssumeRole', resource: roleArn, context },
      ) === 'allow',
  };
}

/** The ARN that the policy of a resource belongs to: a bucket for its objects. */
function policyOwner(arn: string): string {
  return arn.startsWith('arn:aws:s3:::') ? (arn.split('/', 1)[0] ?? arn) : arn;
}

/** Condition keys of every request: the local cloud counts as reached by TLS. */
function withTransport(request: AccessRequest): AccessRequest {
  return {
    ...request,
    context: {
      ...request.context,
      'aws:SecureTransport': ['true'],
      ...(request.action.startsWith('s3:') && { 's3:TlsVersion': ['1.3'] }),
    },
  };
}
