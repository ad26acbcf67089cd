#!/usr/bin/env node
/** `parley-mcp`: the server over stdin and stdout. */
import { InvalidArgumentError } from '../../typescript/src/index.ts';
import { runStdio } from './stdio.ts';

try {
  await runStdio();
} catch (error) {
  process.stderr.write(
    `parley-mcp: ${error instanceof InvalidArgumentError ? error.detail : String(error)}\n`,
  );
  process.exitCode = error instanceof InvalidArgumentError ? 2 : 1;
}
