/** What is kept ready for more load than there was: throughput of the table, and execution environments of one function. */
import { CfnAlias, CfnVersion, type Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { unitsOfEmail } from '../core/work/worker-load.ts';

/** Warm throughput of a new table or index ("Understanding DynamoDB warm throughput in different scenarios", Amazon DynamoDB Developer Guide). */
export const newTable = { read: 12_000, write: 4000 };

/** The warm throughput of the table, or of an index, for so many emails a second; 0: that of a new one. */
export function warmThroughput(
  of: keyof typeof unitsOfEmail,
  emailsPerSecond: number,
): { readonly readUnitsPerSecond: number; readonly writeUnitsPerSecond: number } | undefined {
  if (emailsPerSecond === 0) return undefined;
  const { read, write } = unitsOfEmail[of];
  return {
    readUnitsPerSecond: Math.max(newTable.read, read * emailsPerSecond),
    writeUnitsPerSecond: Math.max(newTable.write, write * emailsPerSecond),
  };
}

/** Properties of the table, or of an index. */
export function warmProps(of: keyof typeof unitsOfEmail, emailsPerSecond: number) {
  const throughput = warmThroughput(of, emailsPerSecond);
  return throughput && { warmThroughput: throughput };
}

/**
 * The ARN of an alias of a function with provisioned concurrency.
 *
 * @param environment of the function: a version keeps the one it was published with, so that another one is another version
 */
export function provisioned(
  of: LambdaFunction,
  provisionedConcurrentExecutions: number,
  environment: string,
): string {
  of.invalidateVersionBasedOn(environment);
  const { currentVersion } = of;
  // For the refactoring of stacks, which versions take no part in anyway.
  if (currentVersion.node.defaultChild instanceof CfnVersion) {
    currentVersion.node.defaultChild.cfnOptions.metadata = {};
  }
  const alias = new CfnAlias(of, 'Ready', {
    name: 'ready',
    functionName: of.functionName,
    functionVersion: currentVersion.version,
    provisionedConcurrencyConfig: { provisionedConcurrentExecutions },
  });
  return alias.ref;
}
