/** moto: an emulator of AWS that others make, in Python. An outside opinion, where `moto_server` is on the PATH. */
import { spawnSync } from 'node:child_process';
import type { StartWatch } from '../start-watch.ts';
import { startTableProcess, type TableProcess } from './table-process.ts';

const program = 'moto_server';

export const hasMoto = (): boolean => spawnSync(program, ['--help']).status === 0;

/** All services of moto on a free port, in memory. @throws CannotStart; the reason of `signal` */
export const startMoto = (watch?: Pick<StartWatch, 'signal'>): Promise<TableProcess> =>
  startTableProcess('moto', (port) => [program, '--host', '127.0.0.1', '--port', String(port)], watch);
