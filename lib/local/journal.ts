/** Maps whose changes outlive the process: the state of emulated services with `--data`, in one file. */
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CannotStart } from './start-watch.ts';

export interface Journal {
  /** The map of a name, with what earlier runs left in it. Values are JSON, replaced and never changed in place. */
  map<V>(name: string): Map<string, V>;
  close(): void;
}

/** A change: a name of a map, a key, and the new value; without a value the key is removed. */
type Line = readonly [name: string, key: string, value?: unknown];

/** Lines of changes that are no more in force; with more, the file is written anew. */
const spareLinesMax = 10_000;

/**
 * Opens the journal in a file, or begins one. Each change is appended before the call that made it returns, so that the
 * death of the process loses none; that of the machine may, as nothing waits for the disk.
 *
 * @throws CannotStart for a file that is damaged before its last line
 */
export function openJournal(file: string, spareLines = spareLinesMax): Journal {
  mkdirSync(dirname(file), { recursive: true });
  const maps = readMaps(file);
  let descriptor = -1;
  let linesLeft = 0;

  /** Writes the entries in force to a new file, which replaces the old one at once. */
  function compact(): void {
    if (descriptor >= 0) closeSync(descriptor);
    const draft = `${file}.draft`;
    descriptor = openSync(draft, 'w');
    const lines = [...maps].flatMap(([name, entries]) =>
      [...entries].map(([key, value]) => lineOf([name, key, value])),
    );
    if (lines.length > 0) writeWhole(descriptor, lines.join(''));
    renameSync(draft, file);
    linesLeft = lines.length + spareLines;
  }

  function append(line: Line): void {
    writeWhole(descriptor, lineOf(line));
    linesLeft -= 1;
    if (linesLeft < 0) compact();
  }

  compact();
  return {
    map<V>(name: string) {
      const entries = (maps.get(name) ?? new Map()) as Map<string, V>;
      maps.set(name, entries);
      return written(entries, (key, ...value) => append([name, key, ...value]));
    },
    close: () => closeSync(descriptor),
  };
}

/** The map, each of whose changes is also written. */
function written<V>(
  entries: Map<string, V>,
  write: (key: string, ...value: [] | [V]) => void,
): Map<string, V> {
  return Object.assign(entries, {
    set(key: string, value: V) {
      // Made first: a compaction writes what is in force.
      Map.prototype.set.call(entries, key, value);
      write(key, value);
      return entries;
    },
    delete(key: string) {
      if (!Map.prototype.delete.call(entries, key)) return false;
      write(key);
      return true;
    },
  });
}

function lineOf(line: Line): string {
  return `${JSON.stringify(line)}\n`;
}

function writeWhole(descriptor: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(descriptor, bytes, at);
}

function readMaps(file: string): Map<string, Map<string, unknown>> {
  const maps = new Map<string, Map<string, unknown>>();
  if (!existsSync(file)) return maps;
  // What follows the last line end is a line whose writer died.
  for (const [at, text] of readFileSync(file, 'utf8').split('\n').slice(0, -1).entries()) {
    const [name, key, ...value] = readLine(text, `${file}, line ${at + 1}`);
    const entries = maps.get(name) ?? new Map<string, unknown>();
    maps.set(name, entries);
    if (value.length > 0) entries.set(key, value[0]);
    else entries.delete(key);
  }
  return maps;
}

/** @throws CannotStart naming the place */
function readLine(text: string, place: string): Line {
  try {
    const line: unknown = JSON.parse(text);
    if (Array.isArray(line) && line.length <= 3 && [0, 1].every((at) => typeof line[at] === 'string')) {
      return line as unknown as Line;
    }
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new CannotStart(`${place} is damaged: use another data folder, or restore this one.`);
}
