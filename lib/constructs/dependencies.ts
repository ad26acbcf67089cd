/** Dependencies between resources, without those that a reference implies (cfn-lint rule W3005). */
import { Aspects } from 'aws-cdk-lib';
import { CfnFunction } from 'aws-cdk-lib/aws-lambda';
import type { Bucket } from 'aws-cdk-lib/aws-s3';
import type { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct, IConstruct } from 'constructs';

/**
 * Removes the dependency on the role that the CDK library adds to each function below `scope`: `Role` refers to it. Only
 * for functions whose permissions are inline policies of the role.
 */
export function omitRoleDependencies(scope: IConstruct): void {
  Aspects.of(scope).add({
    visit(node) {
      if (node instanceof CfnFunction) node.addDeletionOverride('DependsOn');
    },
  });
}

/** Creates `dependent` after the policies of what it refers to: SES writes to bucket and topic when it is set up. */
export function dependOnPolicies(dependent: Construct, ...targets: readonly (Bucket | Topic)[]): void {
  for (const target of targets) dependent.node.addDependency(target.node.findChild('Policy'));
}
