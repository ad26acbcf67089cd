/** Says in one line what to install where DynamoDB Local would find no Java, or one that is too old. */
import { spawnSync } from 'node:child_process';

/** DynamoDB Local 3 is compiled for this release. */
const releaseMin = 17;

const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
/** `openjdk version "17.0.15"`, and `"1.8.0"` of old. */
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
