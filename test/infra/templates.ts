/** The templates under test: synthesised once, without the bundle, as none of them depends on what is in it. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { type Settings, settingsOf } from '../../lib/settings.ts';
import { type SynthesizeOptions, synthesize } from '../../lib/stacks/synthesize.ts';

/** Any part of a template, typed as loosely as the CDK library types a whole one. */
export type Properties = CloudFormationStackArtifact['template'];

export interface Resource {
  readonly stack: string;
  readonly region: string;
  readonly logicalId: string;
  readonly type: string;
  readonly properties: Properties;
  readonly deletionPolicy: string | undefined;
  readonly dependsOn: readonly string[];
}

export const account = '111111111111';
export const settings = settingsOf({
  account,
  providedDomain: 'mail.example.com',
  homeRegion: 'eu-central-1',
  mailRegions: ['us-east-1', 'eu-central-1'],
});

/** The text of each template by stack name, and every resource of every stack. */
export interface Templates {
  readonly texts: ReadonlyMap<string, string>;
  readonly resources: readonly Resource[];
  of(type: string): readonly Resource[];
}

let shared: Templates | undefined;

/** The templates of `settings`. */
export function templates(): Templates {
  shared ??= templatesOf(settings);
  return shared;
}

export function templatesOf(settings: Settings, options: SynthesizeOptions = {}): Templates {
  const folder = mkdtempSync(join(tmpdir(), 'parley-infra-'));
  try {
    const assembly = synthesize(settings, {
      outdir: join(folder, 'out'),
      code: { functions: placeholder(folder), site: placeholder(folder), console: placeholder(folder) },
      ...options,
    });
    const resources = assembly.stacks.flatMap((stack) =>
      Object.entries(stack.template.Resources as Record<string, Properties>).map(([logicalId, resource]) => ({
        stack: stack.stackName,
        region: stack.environment.region,
        logicalId,
        type: resource.Type,
        properties: resource.Properties ?? {},
        deletionPolicy: resource.DeletionPolicy,
        dependsOn: [resource.DependsOn ?? []].flat(),
      })),
    );
    return {
      texts: new Map(
        assembly.stacks.map((stack) => [stack.stackName, readFileSync(stack.templateFullPath, 'utf8')]),
      ),
      resources,
      of: (type) => resources.filter((resource) => resource.type === type),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function placeholder(folder: string): string {
  const code = mkdtempSync(join(folder, 'code-'));
  writeFileSync(join(code, 'none.mjs'), '');
  return code;
}
