/** Collects the policies of a deployment from its templates. */
import type { Policies } from './access-control.ts';
import { readProperties } from './deploy.ts';
import type { Statement } from './iam.ts';
import * as shapes from './resource-shapes.ts';
import type { Deployment } from './template.ts';

export function policiesOf(deployment: Deployment): Policies {
  return { ...rolePolicies(deployment), resource: resourcePolicies(deployment) };
}

/** The managed policies by ARN, and the boundary of each role that has one. */
export function boundariesOf(deployment: Deployment): {
  readonly policies: ReadonlyMap<string, readonly Statement[]>;
  readonly boundaryOf: ReadonlyMap<string, string>;
} {
  const policies = deployment
    .ofType('AWS::IAM::ManagedPolicy')
    .map((one) => [one.ref, readProperties(shapes.managedPolicy, one).PolicyDocument.Statement] as const);
  const boundaryOf = deployment.ofType('AWS::IAM::Role').flatMap((role) => {
    const { PermissionsBoundary: boundary } = readProperties(shapes.role, role);
    return boundary === undefined ? [] : [[role.arn, boundary] as const];
  });
  return { policies: new Map(policies), boundaryOf: new Map(boundaryOf) };
}

function rolePolicies(deployment: Deployment): Pick<Policies, 'identity' | 'trust'> {
  const identity = new Map<string, Statement[]>();
  const trust = new Map<string, readonly Statement[]>();
  const byName = new Map<string, Statement[]>();
  for (const resource of deployment.ofType('AWS::IAM::Role')) {
    const { Policies: inline, AssumeRolePolicyDocument } = readProperties(shapes.role, resource);
    const statements: Statement[] = inline.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
    identity.set(resource.arn, statements);
    byName.set(resource.ref, statements);
    trust.set(resource.arn, AssumeRolePolicyDocument.Statement);
  }
  for (const resource of deployment.ofType('AWS::IAM::Policy')) {
    const { PolicyDocument, Roles } = readProperties(shapes.policy, resource);
    for (const name of Roles) byName.get(name)?.push(...PolicyDocument.Statement);
  }
  return { identity, trust };
}

function resourcePolicies(deployment: Deployment): ReadonlyMap<string, readonly Statement[]> {
  const byArn = new Map<string, Statement[]>();
  const add = (arn: string, statements: readonly Statement[]) => {
    byArn.set(arn, [...(byArn.get(arn) ?? []), ...statements]);
  };
  const queueArns = new Map(
    deployment.ofType('AWS::SQS::Queue').map(({ ref, region, arn }) => [`${region} ${ref}`, arn]),
  );
  for (const resource of deployment.ofType('AWS::SQS::QueuePolicy')) {
    const { Queues, PolicyDocument } = readProperties(shapes.queuePolicy, resource);
    for (const url of Queues)
      add(queueArns.get(`${resource.region} ${url}`) ?? url, PolicyDocument.Statement);
  }
  for (const resource of deployment.ofType('AWS::SNS::TopicPolicy')) {
    const { Topics, PolicyDocument } = readProperties(shapes.topicPolicy, resource);
    for (const arn of Topics) add(arn, PolicyDocument.Statement);
  }
  for (const resource of deployment.ofType('AWS::S3::BucketPolicy')) {
    const { Bucket, PolicyDocument } = readProperties(shapes.bucketPolicy, resource);
    add(`arn:aws:s3:::${Bucket}`, PolicyDocument.Statement);
  }
  for (const resource of deployment.ofType('AWS::KMS::Key')) {
    add(resource.arn, readProperties(shapes.key, resource).KeyPolicy.Statement);
  }
  for (const [arn, statement] of lambdaPermissions(deployment)) add(arn, [statement]);
  return byArn;
}

/** Each permission as the statement that Lambda adds to the function's policy (Lambda API reference, "AddPermission"). */
function lambdaPermissions(deployment: Deployment): [functionArn: string, Statement][] {
  const functionArns = new Map(deployment.ofType('AWS::Lambda::Function').map(({ ref, arn }) => [ref, arn]));
  return deployment.ofType('AWS::Lambda::Permission').map((resource) => {
    const permission = readProperties(shapes.lambdaPermission, resource);
    const arn = functionArns.get(permission.FunctionName) ?? permission.FunctionName;
    return [
      arn,
      {
        Effect: 'Allow',
        Principal: { Service: permission.Principal },
        Action: permission.Action,
        Resource: arn,
        Condition: {
          ...(permission.SourceArn !== undefined && { ArnLike: { 'aws:SourceArn': permission.SourceArn } }),
          ...(permission.SourceAccount !== undefined && {
            StringEquals: { 'aws:SourceAccount': permission.SourceAccount },
          }),
        },
      },
    ];
  });
}
