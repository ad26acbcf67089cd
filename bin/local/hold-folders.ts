/** Makes sure that no other run uses the folders of this one. */
import { readFileSync } from 'node:fs';
import { Refused } from '../../clients/cli/src/terminal/exit.ts';
import { localFolder, readyFile } from './folders.ts';
import { lockFolder } from './lock-folder.ts';

/**
 * Locks the folder of the run's own files, and the one of `--data`.
 *
 * @returns gives them up; keep it, since a lock ends when nothing refers to it
 * @throws Refused with a sentence that says which one another run has
 */
export function holdFolders(dataFolder: string | null): () => void {
  const own = lockFolder(localFolder);
  if (!own) {
    throw new Refused(
      `npm start runs in this folder already${addressOfOther()}. Stop it with Ctrl-C, or start in another clone.`,
    );
  }
  const data = dataFolder === null ? () => {} : lockFolder(dataFolder);
  if (!data) {
    throw new Refused(
      `Another npm start uses the data folder ${dataFolder}. Stop it with Ctrl-C, or use another folder.`,
    );
  }
  return () => {
    data();
    own();
  };
}

/** Where the other run is, once it is ready. */
function addressOfOther(): string {
  try {
    const { baseUrl } = JSON.parse(readFileSync(readyFile, 'utf8')) as { baseUrl?: unknown };
    return typeof baseUrl === 'string' ? ` (${baseUrl})` : '';
  } catch {
    // It still starts.
    return '';
  }
}
