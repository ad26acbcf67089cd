/**
 * The permissions boundary of the functions of one home region. It allows everything, until an operator makes it deny everything: IAM is one for
 * all regions, so that this also ends the work of a region that cannot be reached ("Permissions boundaries for IAM entities").
 */
import { type Stack, Validations } from 'aws-cdk-lib';
import { ManagedPolicy, PermissionsBoundary, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Names } from './names.ts';

export function addBoundary(stack: Stack, names: Names): void {
  const policy = new ManagedPolicy(stack, 'Boundary', {
    managedPolicyName: names.boundary,
    description: `What functions of ${names.homeRegion} may do at most (docs/regions.md).`,
    statements: [new PolicyStatement({ actions: ['*'], resources: ['*'] })],
  });
  for (const finding of ['Action::*', 'Resource::*']) {
    Validations.of(policy).acknowledge({
      id: `AwsSolutions::AwsSolutions-IAM5[${finding}]`,
      reason: 'A boundary grants nothing: roles have what their own policies allow.',
    });
  }
}

/** Puts all roles of a stack under the boundary. */
export function limitRoles(stack: Stack, names: Names): void {
  const arn = `arn:aws:iam::${names.account}:policy/${names.boundary}`;
  PermissionsBoundary.of(stack).apply(ManagedPolicy.fromManagedPolicyArn(stack, 'Boundary', arn));
}
