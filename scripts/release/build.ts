/** Builds the artefact of this tree. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleFunctions } from '../../lib/constructs/bundle.ts';
import { consoleFolders } from '../../lib/constructs/console.ts';
import { siteFolder } from '../../lib/constructs/site.ts';
import { generousLimits, localSettings } from '../../lib/local/index.ts';
import { settingsOf } from '../../lib/settings.ts';
import { synthesize } from '../../lib/stacks/synthesize.ts';
import { packAssembly } from './artefact.ts';

export function buildArtefact(): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'artefact-'));
  try {
    const [functions, outdir] = [join(folder, 'functions'), join(folder, 'assembly')];
    bundleFunctions({ outdir: functions });
    const settings = settingsOf(localSettings({}, generousLimits.lambda.concurrentExecutions));
    const { brand } = settings;
    synthesize(settings, {
      code: { functions, site: siteFolder(brand), console: consoleFolders(brand).asset },
      outdir,
    });
    return packAssembly(outdir);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
