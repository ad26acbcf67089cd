/** Synthesis in process and offline, for `cdk synth`, the local cloud and the tests. */
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { type CloudAssembly, CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { bundleFunctions } from '../constructs/bundle.ts';
import { consoleFolders } from '../constructs/console.ts';
import { siteFolder } from '../constructs/site.ts';
import type { Settings } from '../settings.ts';
import { addStacks, type CodeFolders } from './app.ts';

/** Default folder of the function bundle. */
export const bundleFolder = join(import.meta.dirname, '../../dist/functions');

/**
 * Feature flags of the CDK library, as recommended for a new app. They are set here and not in cdk.json, so that the local
 * cloud and the tests use the templates that are deployed.
 */
const featureFlags = {
  ...CURRENTLY_RECOMMENDED_FLAGS,
  // Exports keep resources that another stack uses from being deleted.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
};

/**
 * Against the context of the CDK CLI, which adds metadata: a template has 1 MB at most ("Understand CloudFormation quotas", AWS
 * CloudFormation User Guide).
 */
const smallTemplates = {
  '@aws-cdk/core:suppressTemplateIndentation': true,
  'aws:cdk:enable-path-metadata': false,
  'aws:cdk:enable-asset-metadata': false,
};

export interface SynthesizeOptions {
  /** Folder of the cloud assembly; default: that of the CDK CLI, else `cdk.out`. */
  readonly outdir?: string;
  /** Folders with code; default: bundles the functions and builds the documentation site and the console. */
  readonly code?: CodeFolders;
  /** Registers template checks (`addChecks`) and enables those of CloudFormation; default: none. */
  readonly checks?: (app: App) => void;
}

/**
 * Synthesizes the cloud assembly of a deployment.
 *
 * @param settings the settings, or a function that reads them from the CDK context
 * @throws InvalidSettings, or an Error that names a missing handler or lists findings of the checks
 */
export function synthesize(
  settings: Settings | ((context: (name: string) => unknown) => Settings),
  options: SynthesizeOptions = {},
): CloudAssembly {
  const app = new App({
    context: featureFlags,
    postCliContext: smallTemplates,
    analyticsReporting: false,
    builtinCloudFormationValidation: options.checks !== undefined,
    treeMetadata: false,
    ...(options.outdir && { outdir: options.outdir }),
  });
  const resolved =
    typeof settings === 'function' ? settings((name) => app.node.tryGetContext(name)) : settings;
  addStacks(app, resolved, options.code ?? codeFolders(resolved));
  options.checks?.(app);
  return app.synth();
}

function codeFolders({ brand }: Settings): CodeFolders {
  bundleFunctions({ outdir: bundleFolder });
  return { functions: bundleFolder, site: siteFolder(brand), console: consoleFolders(brand).asset };
}
