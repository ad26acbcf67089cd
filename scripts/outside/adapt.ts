/** What `moto_server` cannot deploy of the templates: the types that are left out, and the properties, each with its reason. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const noModel = 'not among the types of its CloudFormation';

/** Types that are left out. A type that is neither here nor created by moto fails the run (`verify.ts`). */
export const leftOut: Readonly<Record<string, string>> = {
  'AWS::ApiGatewayV2::Api': noModel,
  'AWS::ApiGatewayV2::Integration': noModel,
  'AWS::ApiGatewayV2::Route': noModel,
  'AWS::ApiGatewayV2::Stage': noModel,
  'AWS::CloudWatch::Alarm': noModel,
  'AWS::Logs::MetricFilter': noModel,
  'AWS::S3::BucketPolicy': noModel,
  'AWS::SES::ConfigurationSet': noModel,
  'AWS::SES::ConfigurationSetEventDestination': noModel,
  'AWS::SES::EmailIdentity': noModel,
  'AWS::SES::ReceiptRule': noModel,
  'AWS::SES::ReceiptRuleSet': noModel,
  'AWS::SNS::Subscription': noModel,
  'AWS::SNS::TopicPolicy': noModel,
  'AWS::SQS::QueuePolicy': noModel,
  'AWS::SSM::Parameter': 'no names made up, and no attributes of it: `Fn::GetAtt` of its value fails',
  'AWS::Scheduler::Schedule': noModel,
  'AWS::Scheduler::ScheduleGroup': noModel,
  'Custom::ActiveReceiptRuleSet': 'its function would run in Docker',
};

/** Properties that are left out, by type. */
export const leftOutProperties: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'AWS::KMS::Key': { Tags: 'it takes them for tags of the KMS API, and fails with a KeyError' },
};

interface Template {
  Resources: Record<string, Resource>;
  Outputs?: Record<string, unknown>;
}

interface Resource {
  readonly Type: string;
  Properties?: Record<string, unknown>;
  DependsOn?: string | string[];
}

/** What was left out of the templates: the number of each type, and each property with its type. */
export interface Adapted {
  readonly types: ReadonlyMap<string, number>;
  readonly properties: ReadonlySet<string>;
}

/** Rewrites the templates of a cloud assembly: what is left out goes, and references to it become placeholders. */
export function adaptAssembly(folder: string): Adapted {
  const types = new Map<string, number>();
  const properties = new Set<string>();
  for (const name of readdirSync(folder).filter((each) => each.endsWith('.template.json'))) {
    const file = join(folder, name);
    const template = JSON.parse(readFileSync(file, 'utf8')) as Template;
    writeFileSync(file, JSON.stringify(adapt(template, { types, properties }), null, 1));
  }
  return { types, properties };
}

function adapt(template: Template, found: { types: Map<string, number>; properties: Set<string> }): Template {
  const gone = new Set<string>();
  for (const [id, resource] of Object.entries(template.Resources)) {
    const { Type: type, Properties = {} } = resource;
    if (type in leftOut) {
      gone.add(id);
      found.types.set(type, (found.types.get(type) ?? 0) + 1);
    }
    for (const property of Object.keys(leftOutProperties[type] ?? {})) {
      if (!(property in Properties)) continue;
      delete Properties[property];
      found.properties.add(`${type}.${property}`);
    }
  }
  const kept = Object.entries(template.Resources).filter(([id]) => !gone.has(id));
  for (const [, resource] of kept) {
    const on = [resource.DependsOn ?? []].flat().filter((id) => !gone.has(id));
    if (on.length > 0) resource.DependsOn = on;
    else delete resource.DependsOn;
  }
  return withoutReferences({ ...template, Resources: Object.fromEntries(kept) }, gone) as Template;
}

function withoutReferences(value: unknown, gone: ReadonlySet<string>): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutReferences(each, gone));
  if (typeof value !== 'object' || value === null) return value;
  const { Ref: ref, 'Fn::GetAtt': attribute } = value as { Ref?: unknown; 'Fn::GetAtt'?: unknown };
  const id = typeof ref === 'string' ? ref : Array.isArray(attribute) ? attribute[0] : undefined;
  if (typeof id === 'string' && gone.has(id)) return `left-out-${id}`;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, withoutReferences(each, gone)]),
  );
}
