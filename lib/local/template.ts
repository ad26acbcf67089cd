/** Loads a cloud assembly: the resources of all stacks with references resolved to local names. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { localAccount } from './aws/service.ts';
import { evaluate, type Json, type References } from './intrinsics.ts';
import {
  type EmulatedType,
  identityOf,
  isEmulated,
  type LocalUrls,
  type ResourceIdentity,
} from './resource-names.ts';

export interface Resource {
  readonly type: EmulatedType;
  readonly stack: string;
  readonly region: string;
  readonly logicalId: string;
  readonly ref: string;
  /** Empty for types without ARN. */
  readonly arn: string;
  readonly properties: Properties;
  /** Folder of a function's code; null for other types. */
  readonly codeFolder: string | null;
}

export type Properties = { readonly [name: string]: Json };

export interface Deployment {
  ofType(type: EmulatedType): readonly Resource[];
}

interface RawResource {
  readonly Type: string;
  readonly Properties?: Readonly<Record<string, unknown>>;
}

interface Stack {
  readonly name: string;
  readonly region: string;
  readonly resources: Readonly<Record<string, RawResource>>;
  readonly outputs: Readonly<Record<string, { Value: unknown; Export?: { Name: unknown } }>>;
}

/**
 * Loads a cloud assembly.
 *
 * @param options.localise replaces AWS hosts in a string, e.g. in queue URLs
 * @throws Error for unsupported resource types and intrinsics and for unresolved references
 */
export function loadDeployment(options: {
  directory: string;
  urls: LocalUrls;
  localise: (text: string) => string;
}): Deployment {
  const stacks = readStacks(options.directory);
  const resolvers = new Map<Stack, StackResolver>();
  const imported = (name: string): Json => {
    for (const stack of stacks) {
      for (const { Value, Export } of Object.values(stack.outputs)) {
        const resolver = resolvers.get(stack);
        if (Export && resolver?.evaluate(Export.Name) === name) return resolver.evaluate(Value);
      }
    }
    throw new Error(`no stack exports ${name}`);
  };
  for (const stack of stacks) {
    resolvers.set(stack, stackResolver(stack, { ...options, imported }));
  }
  const codeFolders = readAssets(options.directory);
  const resources = stacks.flatMap((stack) => {
    const resolver = resolvers.get(stack);
    return resolver ? emulatedResources(stack, resolver, codeFolders) : [];
  });
  return { ofType: (type) => resources.filter((resource) => resource.type === type) };
}

function emulatedResources(
  stack: Stack,
  resolver: StackResolver,
  codeFolders: ReadonlyMap<string, string>,
): Resource[] {
  return Object.entries(stack.resources).flatMap(([logicalId, raw]) => {
    if (!isEmulated(raw.Type)) return [];
    const { ref, attributes } = resolver.identity(logicalId);
    const properties = resolver.evaluate(raw.Properties ?? {}) as Properties;
    const code = properties.Code as { readonly S3Key?: string } | undefined;
    return {
      type: raw.Type,
      stack: stack.name,
      region: stack.region,
      logicalId,
      ref,
      arn: attributes.Arn ?? attributes.TopicArn ?? '',
      properties,
      codeFolder: codeFolders.get(code?.S3Key ?? '') ?? null,
    };
  });
}

interface StackResolver {
  identity(logicalId: string): ResourceIdentity;
  evaluate(value: unknown): Json;
}

function stackResolver(
  stack: Stack,
  options: {
    urls: LocalUrls;
    localise: (text: string) => string;
    imported: (name: string) => Json;
  },
): StackResolver {
  const pseudo: Record<string, string> = {
    'AWS::AccountId': localAccount,
    'AWS::Region': stack.region,
    'AWS::Partition': 'aws',
    'AWS::URLSuffix': 'amazonaws.com',
    'AWS::StackName': stack.name,
    'AWS::StackId': `arn:aws:cloudformation:${stack.region}:${localAccount}:stack/${stack.name}/local`,
  };
  const identities = new Map<string, ResourceIdentity>();
  const identity = (logicalId: string): ResourceIdentity => {
    const known = identities.get(logicalId);
    if (known) return known;
    const raw = stack.resources[logicalId];
    if (!raw) throw new Error(`${stack.name} has no resource ${logicalId}`);
    const property = (name: string): Json => {
      const value = raw.Properties?.[name];
      return value === undefined ? null : resolve(value);
    };
    const made = identityOf(
      raw.Type,
      { stack: stack.name, region: stack.region, logicalId, property },
      options.urls,
    );
    identities.set(logicalId, made);
    return made;
  };
  const references: References = {
    ref: (name) => pseudo[name] ?? identity(name).ref,
    attribute: (logicalId, attribute) => {
      const value = identity(logicalId).attributes[attribute];
      if (value === undefined) {
        throw new Error(`${stack.name}: ${attribute} of ${logicalId} is not supported`);
      }
      return value;
    },
    imported: options.imported,
  };
  const resolve = (value: unknown): Json => localizeStrings(evaluate(value, references), options.localise);
  return { identity, evaluate: resolve };
}

function localizeStrings(value: Json, localise: (text: string) => string): Json {
  if (typeof value === 'string') return localise(value);
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map((item: Json) => localizeStrings(item, localise));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, localizeStrings(item, localise)]),
  );
}

interface Manifest {
  readonly artifacts: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly environment?: string;
        readonly properties?: {
          readonly templateFile?: string;
          readonly file?: string;
          readonly stackName?: string;
        };
      }
    >
  >;
}

function readJson<T>(...path: string[]): T {
  return JSON.parse(readFileSync(join(...path), 'utf8')) as T;
}

function readStacks(directory: string): Stack[] {
  const { artifacts } = readJson<Manifest>(directory, 'manifest.json');
  return Object.entries(artifacts).flatMap(([id, { type, environment, properties }]) => {
    if (type !== 'aws:cloudformation:stack' || !properties?.templateFile) return [];
    const template = readJson<{ Resources?: Stack['resources']; Outputs?: Stack['outputs'] }>(
      directory,
      properties.templateFile,
    );
    return {
      name: properties.stackName ?? id,
      region: environment?.split('/').at(-1) ?? '',
      resources: template.Resources ?? {},
      outputs: template.Outputs ?? {},
    };
  });
}

/** Folders of file assets by object key. */
function readAssets(directory: string): Map<string, string> {
  const { artifacts } = readJson<Manifest>(directory, 'manifest.json');
  const folders = new Map<string, string>();
  for (const { type, properties } of Object.values(artifacts)) {
    if (type !== 'cdk:asset-manifest' || !properties?.file) continue;
    const { files } = readJson<{
      files: Record<
        string,
        { source: { path: string }; destinations: Record<string, { objectKey: string }> }
      >;
    }>(directory, properties.file);
    for (const { source, destinations } of Object.values(files)) {
      for (const { objectKey } of Object.values(destinations)) {
        folders.set(objectKey, join(directory, source.path));
      }
    }
  }
  return folders;
}
