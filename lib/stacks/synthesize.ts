/** Synthesis in process and offline: what `cdk synth`, the local cloud and the tests run. */
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { type CloudAssembly, CURRENTLY_RECOMMENDED_FLAGS } from 'aws-cdk-lib/cx-api';
import { bundleFunctions } from '../constructs/bundle.ts';
import type { Settings } from '../settings.ts';
import { addStacks } from './app.ts';

/** Where the bundle goes unless the caller brings one. */
export const bundleFolder = join(import.meta.dirname, '../../dist/functions');

/**
 * Switches of the CDK library that change what it writes: all as the library recommends for a new app. They stand here
 * and not in cdk.json, so that the local cloud and the tests get the templates that are deployed.
 */
const featureFlags = {
  ...CURRENTLY_RECOMMENDED_FLAGS,
  // The few references between stacks are to what must not go while it is in use.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
};

export interface SynthesizeOptions {
  /** Folder of the cloud assembly; absent: what the CDK CLI says, else `cdk.out`. */
  readonly outdir?: string;
  /** Folder with the bundle; absent: the functions are bundled now. */
  readonly code?: string;
  /** Registers checks of the templates (`addChecks`), and turns CloudFormation's own on; absent: none. */
  readonly checks?: (app: App) => void;
}

/**
 * The cloud assembly of a deployment.
 *
 * @param settings the settings, or how to make them of the context that the CDK CLI passed
 * @throws InvalidSettings, or an error that names the missing handler or lists the findings
 */
export function synthesize(
  settings: Settings | ((context: (name: string) => unknown) => Settings),
  options: SynthesizeOptions = {},
): CloudAssembly {
  const app = new App({
    context: featureFlags,
    analyticsReporting: false,
    builtinCloudFormationValidation: options.checks !== undefined,
    treeMetadata: false,
    ...(options.outdir && { outdir: options.outdir }),
  });
  const resolved =
    typeof settings === 'function' ? settings((name) => app.node.tryGetContext(name)) : settings;
  if (!options.code) bundleFunctions({ outdir: bundleFolder });
  addStacks(app, resolved, options.code ?? bundleFolder);
  options.checks?.(app);
  return app.synth();
}
