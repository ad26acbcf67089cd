/**
 * What `listen` has done, so that a restart neither loses nor repeats an event: a file of one line for each step, appended before and
 * after each post. An event whose post had begun when the process died is posted again: it may not have arrived.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { idBefore, idTime, lagMs } from '../../../typescript/src/live/feed.ts';
import { privateFolder, readOptional, writePrivate } from '../configuration.ts';
import { Refused } from '../terminal/exit.ts';

export interface Position {
  /** The id that reading begins behind. */
  readonly start: string;
  /** Events behind it that are done. */
  readonly done: readonly string[];
}

export interface Journal {
  /** Where the last run ended; null: there was none. */
  readonly found: Position | null;
  /** Begins at a position. */
  begin(position: Position): void;
  /** A post begins. */
  started(id: string): void;
  /** An event is delivered, or given up. */
  ended(id: string): void;
  /** Everything up to an event that is not posted is done. */
  passed(id: string): void;
  close(): void;
}

/** The journal of one deployment, key and URL. @throws Refused while another process has it */
export function openJournal(folder: string, subject: readonly string[]): Journal {
  const name = createHash('sha256').update(JSON.stringify(subject)).digest('hex').slice(0, 24);
  const file = join(folder, 'listen', name);
  privateFolder(join(folder, 'listen'));
  const unlock = lock(`${file}.lock`);
  const text = readOptional(file);
  let lines = 0;
  const state = text === null ? null : readLines(text);
  const append = (line: string) => {
    appendFileSync(file, `${line}\n`, { mode: 0o600 });
    lines += 1;
    if (lines < linesMax) return;
    lines = 0;
    compact(file);
  };
  return {
    found: state && positionOf(state),
    begin: (position) => writePrivate(file, textOf(position)),
    started: (id) => append(`+${id}`),
    ended: (id) => append(`-${id}`),
    passed: (id) => append(`@${id}`),
    close: unlock,
  };
}

const linesMax = 20_000;

interface State {
  start: string;
  latest: string;
  readonly done: Set<string>;
  /** Posts that began. */
  readonly open: Set<string>;
}

/** A last line that was cut, and anything else that is no step, is left out. */
function readLines(text: string): State | null {
  let state: State | null = null;
  for (const line of text.split('\n')) {
    const [, step = '', id = ''] = /^([>+@-])(evt_[0-9a-f]{32})$/.exec(line) ?? [];
    if (step === '>') state = { start: id, latest: id, done: new Set(), open: new Set() };
    if (!state || !step) continue;
    if (step === '+') state.open.add(id);
    if (step === '-') {
      state.open.delete(id);
      state.done.add(id);
    }
    if (id > state.latest) state.latest = id;
  }
  return state;
}

/** Reading begins a minute before the latest event, and before each post that was not ended. */
function positionOf({ start, latest, done, open }: State): Position {
  const minute = idBefore(idTime(latest) - lagMs);
  const unfinished = [...open].map((id) => idBefore(idTime(id)));
  const earliest = unfinished.reduce((least, id) => (id < least ? id : least), minute);
  const from = earliest > start ? earliest : start;
  return { start: from, done: [...done].filter((id) => id > from) };
}

const textOf = ({ start, done }: Position): string =>
  [`>${start}`, ...done.map((id) => `-${id}`), ''].join('\n');

function compact(file: string): void {
  const state = readLines(readFileSync(file, 'utf8'));
  if (!state) return;
  const open = [...state.open].map((id) => `+${id}\n`).join('');
  writePrivate(file, `${textOf(positionOf(state))}@${state.latest}\n${open}`);
}

/** @returns the function that gives the lock up */
function lock(file: string): () => void {
  for (const isLast of [false, true]) {
    try {
      writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 });
      return () => rmSync(file, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = Number(readOptional(file));
    if (isLast || isAlive(holder)) {
      const hint = `End process ${holder || '?'} first, or forward to another address.`;
      throw new Refused('Another parley listen forwards to this address.', hint);
    }
    rmSync(file, { force: true });
  }
  throw new Error('unreachable');
}

function isAlive(pid: number): boolean {
  if (!Number.isInteger(pid) || pid <= 0) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
