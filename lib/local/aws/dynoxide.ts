/** dynoxide: DynamoDB in a native process over SQLite (docs/decisions/0069-dynoxide-as-table-engine.md). */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CannotStart, type StartWatch } from '../start-watch.ts';
import { startTableProcess, type TableProcess } from './table-process.ts';

/** Memory as a file system, on Linux. A container may have 64 MB of it. */
const memoryFolder = '/dev/shm';
const memoryBytesMin = 2 ** 30;

export const dynoxideFile = 'dynoxide.db';

/** The program of the npm package for this machine, or on the PATH; null: there is none. */
export function dynoxideProgram(): string | null {
  try {
    const name = `@dynoxide/${process.platform}-${process.arch}/package.json`;
    return join(dirname(createRequire(import.meta.url).resolve(name)), 'dynoxide');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'MODULE_NOT_FOUND') throw error;
  }
  return spawnSync('dynoxide', ['--version']).error ? null : 'dynoxide';
}

/** @param directory null: the tables end with the process @throws CannotStart; the reason of `signal` */
export async function startDynoxide(
  program: string,
  directory: string | null,
  watch?: Pick<StartWatch, 'signal'>,
): Promise<TableProcess> {
  const folder = directory ?? mkdtempSync(join(temporaryFolder(), 'parley-tables-'));
  const file = join(folder, dynoxideFile);
  try {
    const command = (port: number) => [program, '--port', String(port), '--db-path', file];
    const started = await startTableProcess(`dynoxide for ${file}`, command, watch);
    try {
      indexStreamRecords(file);
    } catch (cause) {
      await started.close();
      throw new CannotStart(`${file} is no table that can be read: ${(cause as Error).message}.`, { cause });
    }
    return started;
  } finally {
    // The process has the files open: they are gone when it ends, however it ends.
    if (directory === null) rmSync(folder, { recursive: true });
  }
}

function temporaryFolder(): string {
  if (!existsSync(memoryFolder)) return tmpdir();
  const { bavail, bsize } = statfsSync(memoryFolder);
  return bavail * bsize >= memoryBytesMin ? memoryFolder : tmpdir();
}

/**
 * dynoxide 1.2.1 has no index on the records of streams: each write reads all earlier ones, 5 ms after 40,000 writes
 * (docs/decisions/0069-dynoxide-as-table-engine.md). It cannot be given one in its own memory, so it always has a file.
 */
function indexStreamRecords(file: string): void {
  const database = new DatabaseSync(file);
  database.exec(
    'CREATE INDEX IF NOT EXISTS stream_order ON _stream_records (table_name, CAST(sequence_number AS INTEGER))',
  );
  database.close();
}
