/** Prints what to install when there is no Java for DynamoDB Local, or one that is too old. */
import { spawnSync } from 'node:child_process';

/** Java release that DynamoDB Local 3 needs. */
const releaseMin = 17;

const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
/** `openjdk version "17.0.15"`, or `"1.8.0"` of older releases. */
const release = Number(/version "(?:1\.)?(\d+)/.exec(stderr ?? '')?.[1] ?? Number.NaN);

if (error || Number.isNaN(release)) {
  fail(`found no Java on the PATH; install a Java ${releaseMin} runtime or newer`);
} else if (release < releaseMin) {
  fail(`found Java ${release} on the PATH; install a Java ${releaseMin} runtime or newer`);
}

function fail(finding: string): void {
  console.error(
    `Parley runs DynamoDB Local, which needs Java: ${finding} (e.g. the package openjdk-17-jre-headless).`,
  );
  process.exitCode = 1;
}
