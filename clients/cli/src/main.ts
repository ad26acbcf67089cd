#!/usr/bin/env node
/** The executable. */
import { program } from './program.ts';
import { runMain } from './terminal/program.ts';

await runMain(program);
