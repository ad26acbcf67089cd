/**
 * Whether the table has the indexes of this release. One stack update adds or deletes one index ("AWS::DynamoDB::Table", AWS
 * CloudFormation Template Reference), so that a release changes one at most (docs/releases.md).
 */
import type { TableDescription } from '@aws-sdk/client-dynamodb';
import { tableIndexes } from '../../lib/constructs/names.ts';
import { type Check, deploymentOf, type Finding, failure, ok, warning } from './check.ts';
import { describeTable } from './describe-table.ts';

export const tableIndexesCheck: Check = {
  title: 'Indexes of the table',
  needs: 'deployment',
  async examine(examined) {
    const table = await describeTable(deploymentOf(examined).names);
    return indexFindings(tableIndexes, table?.GlobalSecondaryIndexes ?? []);
  },
};

/** @param expected those of this release */
export function indexFindings(
  expected: readonly string[],
  found: NonNullable<TableDescription['GlobalSecondaryIndexes']>,
): Finding[] {
  const names = found.flatMap(({ IndexName }) => IndexName ?? []);
  const missing = expected.filter((name) => !names.includes(name));
  const others = names.filter((name) => !expected.includes(name));
  const changing = found.filter(({ IndexStatus = 'ACTIVE' }) => IndexStatus !== 'ACTIVE');
  if (changing.length > 0) {
    const states = changing.map(({ IndexName, IndexStatus }) => `${IndexName} is ${IndexStatus}`);
    return [
      warning(
        `The table is being changed: ${states.join(', ')}.`,
        'Wait until the doctor says otherwise, before the next release is deployed.',
      ),
    ];
  }
  if (missing.length + others.length === 0) {
    return [ok(`The table has the indexes of this release: ${expected.join(', ')}.`)];
  }
  const difference = [
    ...missing.map((name) => `${name} is missing`),
    ...others.map((name) => `${name} is of another release`),
  ];
  const todo =
    difference.length === 1
      ? 'Deploy the data stack of this release, then run the doctor again, and deploy the other stacks.'
      : 'One deployment changes one index: deploy the releases in between first, one after the other.';
  return [failure(`The indexes of the table are not those of this release: ${difference.join(', ')}.`, todo)];
}
