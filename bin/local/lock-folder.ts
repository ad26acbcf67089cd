/** The lock of a folder: one run has it at a time, and it ends with the process, however that ends. */
import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Refused } from '../../clients/cli/src/terminal/exit.ts';

const fileName = 'run.lock';
/** Result code SQLITE_BUSY ("Result and Error Codes", SQLite documentation). */
const busy = 5;

/**
 * Locks a folder, which is created where it is missing. The lock is one of SQLite, since Node has none on files: the
 * system gives it up with the process, so that a killed run leaves none.
 *
 * @returns `release`; null: another process has the lock
 * @throws Refused where the folder cannot be written
 */
export function lockFolder(folder: string): (() => void) | null {
  let database: DatabaseSync | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    const file = join(folder, fileName);
    database = new DatabaseSync(file);
    // SQLite opens a file that it may only read, and locks nothing then.
    for (const path of [folder, file]) accessSync(path, constants.W_OK);
    // Without a file beside it.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database?.close();
    const { errcode, message } = error as { errcode?: unknown; message: string };
    if (errcode === busy) return null;
    throw new Refused(
      `Cannot write in ${folder} (${message}): make it a folder that you may write in, or use another one.`,
    );
  }
  const { close } = database;
  return close.bind(database);
}
