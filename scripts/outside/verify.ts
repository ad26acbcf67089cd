/** Compares what moto created with the templates: every resource is there, and the properties that the SDK tells are the same. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { signPost } from '../../lib/adapters/signed-post.ts';
import { readers } from './created.ts';

/** Properties that moto takes and does not keep, or does not tell, by type. Another one fails the run. */
export const notKept: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'AWS::DynamoDB::Table': {
    PointInTimeRecoverySpecification: 'ignored',
    SSESpecification: 'without `SSEEnabled: true`, not told',
    TimeToLiveSpecification: 'ignored',
  },
  'AWS::Lambda::Function': {
    Architectures: 'ignored: x86_64',
    Code: 'told as a hash',
    LoggingConfig: 'ignored',
  },
  'AWS::S3::Bucket': {
    LifecycleConfiguration: 'ignored',
    LoggingConfiguration: 'ignored',
    OwnershipControls: 'ignored',
    PublicAccessBlockConfiguration: 'ignored',
  },
};

/** Types that moto creates, but that `ListStackResources` leaves out. */
export const notListed: Readonly<Record<string, string>> = {
  'AWS::Lambda::Permission': 'created without a physical id, which leaves it out of `ListStackResources`',
};

export interface Verified {
  readonly resources: number;
  readonly properties: number;
  /** `Type.Property`: known ones that are not as in the template. */
  readonly notKept: ReadonlySet<string>;
  /** What is not there, or otherwise than in the template, and not known to be. */
  readonly wrong: readonly string[];
}

interface Resource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

export async function verifyStacks(folder: string): Promise<Verified> {
  const sums = { resources: 0, properties: 0 };
  const kept = new Set<string>();
  const wrong: string[] = [];
  for (const { name, region, template } of stacksOf(folder)) {
    const ids = await physicalIds(name, region);
    for (const [logicalId, { Type: type, Properties = {} }] of Object.entries(template.Resources)) {
      const id = ids.get(logicalId);
      if (id === undefined && type in notListed) continue;
      if (id === undefined) {
        wrong.push(`${name}: ${type} ${logicalId} was not created`);
        continue;
      }
      sums.resources += 1;
      const created = await readers[type]?.(id, region);
      if (!created) continue;
      for (const [property, expected] of Object.entries(Properties)) {
        if (property === 'Tags') continue;
        if (agrees(expected, created[property])) sums.properties += 1;
        else if (notKept[type]?.[property]) kept.add(`${type}.${property}`);
        else
          wrong.push(difference(`${name}: ${type}.${property} of ${logicalId}`, expected, created[property]));
      }
    }
  }
  return { ...sums, notKept: kept, wrong };
}

function difference(where: string, expected: unknown, actual: unknown): string {
  return `${where} is ${JSON.stringify(actual)?.slice(0, 200)} instead of ${JSON.stringify(expected).slice(0, 200)}`;
}

/** Whether a resource has what its template says; values of functions like `Ref` are known to moto only. */
function agrees(expected: unknown, actual: unknown): boolean {
  if (typeof expected !== 'object' || expected === null) return String(expected) === String(actual);
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return false;
    return expected.every((each, index) => agrees(each, actual[index]));
  }
  if (Object.keys(expected).some((name) => name === 'Ref' || name.startsWith('Fn::'))) return Boolean(actual);
  if (typeof actual !== 'object' || actual === null) return false;
  const values = new Map(Object.entries(actual));
  return Object.entries(expected).every(([name, each]) => agrees(each, values.get(name)));
}

function stacksOf(folder: string) {
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    readonly artifacts: Readonly<Record<string, { readonly type: string; readonly environment?: string }>>;
  };
  return readdirSync(folder)
    .filter((file) => file.endsWith('.template.json'))
    .map((file) => {
      const name = file.replace('.template.json', '');
      return {
        name,
        region: manifest.artifacts[name]?.environment?.split('/').at(-1) ?? '',
        template: JSON.parse(readFileSync(join(folder, file), 'utf8')) as {
          readonly Resources: Readonly<Record<string, Resource>>;
        },
      };
    });
}

/** By logical id. CloudFormation lists no resource of a type that moto does not know. */
async function physicalIds(stack: string, region: string): Promise<ReadonlyMap<string, string>> {
  const body = new URLSearchParams({
    Action: 'ListStackResources',
    Version: '2010-05-15',
    StackName: stack,
  }).toString();
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const post = await signPost({ service: 'cloudformation', region, path: '/', headers, body });
  const response = await fetch(post.url, { method: 'POST', headers: post.headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`ListStackResources of ${stack}: ${text}`);
  const pairs =
    /<LogicalResourceId>([^<]*)<\/LogicalResourceId>\s*<PhysicalResourceId>([^<]*)<\/PhysicalResourceId>/g;
  return new Map([...text.matchAll(pairs)].map(([, logical = '', physical = '']) => [logical, physical]));
}
