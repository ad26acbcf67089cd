/** Builds `dist/parley-mcp.js`: one file with everything it needs. `npm pack` runs it. */
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const folder = import.meta.dirname;
const outfile = join(folder, 'dist/parley-mcp.js');

rmSync(join(folder, 'dist'), { recursive: true, force: true });
await build({
  entryPoints: [join(folder, 'src/main.ts')],
  outfile,
  format: 'esm',
  bundle: true,
  platform: 'node',
  target: 'node20',
  // A host starts it for each window.
  minify: true,
  keepNames: true,
  // Its validator of JSON schemas would add 150 KB; lib/constructs/no-schema-validator.ts says why none is needed.
  alias: {
    '@modelcontextprotocol/server/_shims': join(folder, '../../lib/constructs/no-schema-validator.ts'),
  },
  logLevel: 'warning',
});
chmodSync(outfile, 0o755);
