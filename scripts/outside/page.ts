/** `bench/outside.md`: what moto deployed, and what it cannot do. */
import { type Adapted, leftOut, leftOutProperties } from './adapt.ts';
import { notKept, notListed, type Verified } from './verify.ts';

export function pageOf(adapted: Adapted, { resources, properties }: Verified): string {
  return `# Another emulator

Written by \`npm run deploy:outside\` on ${new Date().toISOString().slice(0, 10)}. The CDK CLI deploys the synthesised stacks into
\`moto_server\`, and the SDK reads what was created. Nothing installs moto; without it, the command is skipped, and
says so.

- ${resources} resources were created, and ${properties} of their properties are as in the templates.
- Each stack is deployed by \`--method direct\`: the change sets of moto register no exports, which other stacks import.
- A type that moto does not create, and a property that differs, fail the command unless they are listed here.

## Types that are left out

References to them are placeholders.

| Type | Resources | Why |
|---|---:|---|
${rows(adapted.types, ([type, count]) => `| \`${type}\` | ${count} | ${leftOut[type]} |`)}

## Properties that are left out

| Property | Why |
|---|---|
${rows(propertiesOf(leftOutProperties), ([name, why]) => `| \`${name}\` | ${why} |`)}

## Created, but not compared

Tags are not, nor are types that the SDK clients of this repository do not read: roles, policies, log groups, dashboards.
\`DescribeKey\` of a key that CloudFormation made fails with a \`TypeError\`.

| What | Why |
|---|---|
${rows([...Object.entries(notListed), ...propertiesOf(notKept)], ([name, why]) => `| \`${name}\` | ${why} |`)}
`;
}

function propertiesOf(lists: Readonly<Record<string, Readonly<Record<string, string>>>>): [string, string][] {
  return Object.entries(lists).flatMap(([type, properties]) =>
    Object.entries(properties).map(([name, why]): [string, string] => [`${type}.${name}`, why]),
  );
}

function rows<T>(
  entries: Iterable<readonly [string, T]>,
  row: (entry: readonly [string, T]) => string,
): string {
  return [...entries]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(row)
    .join('\n');
}
