/** Asks a person on the terminal. Questions go to stderr, so that stdout is the result alone. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';

export async function ask(question: string): Promise<string> {
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await reader.question(question)).trim();
  } finally {
    reader.close();
  }
}

/** Asks without showing what is typed. */
export async function askHidden(question: string): Promise<string> {
  process.stderr.write(question);
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  // `terminal` makes it read key by key, without the echo of the system.
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  // The terminal sends no SIGINT while keys are read one by one.
  reader.on('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    return (await reader.question('')).trim();
  } finally {
    reader.close();
    process.stderr.write('\n');
  }
}
