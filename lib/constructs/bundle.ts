/** Bundles the code of all functions, with code that they share in chunks; see docs/decisions/0004-one-bundle.md. */
import { copyFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync, type Metafile } from 'esbuild';
import { operations } from '../../functions/operations.ts';
import { publicFunctions } from '../../functions/public.ts';
import { traceRecorder } from '../../functions/workers/record-traces.contract.ts';
import { workers } from '../../functions/workers.ts';
import { functionName } from '../http/contract.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Functions that share no chunk with others: a chunk has the parts of a module that any function uses, and the SDK of the
 * Model Context Protocol uses parts of zod that would make every function 2 KB larger.
 */
const apart: ReadonlySet<string> = new Set(['mcp']);

/** Name of each function in the bundle, with its handler file relative to the root of the repo. */
export function handlerFiles(): Map<string, string> {
  const files = new Map<string, string>();
  const add = (id: string, file: string) => {
    const name = functionName(id);
    const other = files.get(name);
    if (other) throw new Error(`${other} and ${file} would both be the function ${name}`);
    files.set(name, file);
  };
  for (const { id } of operations) add(id, `functions/${id.replaceAll('.', '/')}.ts`);
  for (const { id } of [...workers, traceRecorder]) add(id, `functions/workers/${id}.ts`);
  for (const { id, hasOwnCode } of publicFunctions) {
    if (!hasOwnCode) add(id, `functions/public/${id}.ts`);
  }
  // The program of a child process, which needs a file of its own.
  add('text-extraction', 'lib/mail/files/child.ts');
  return files;
}

/**
 * Bundles every function into `outdir` as `<functionName>.mjs`, with shared code in `chunks/`. Replaces the content of
 * `outdir`, which is the asset.
 *
 * @throws Error naming every handler file that is missing
 */
export function bundleFunctions(options: {
  outdir: string;
  minify?: boolean;
  files?: ReadonlyMap<string, string>;
}): Metafile {
  const files = options.files ?? handlerFiles();
  const missing = [...files.values()].filter((file) => !existsSync(join(root, file)));
  if (missing.length > 0) throw new Error(`no handler for the contract of ${missing.join(', ')}`);
  rmSync(options.outdir, { recursive: true, force: true });
  const ofChunks = [...files].filter(([name]) => !apart.has(name));
  const groups = [ofChunks, ...[...files].filter(([name]) => apart.has(name)).map((file) => [file])];
  const metafiles = groups.filter((group) => group.length > 0).map((group) => build(group, options));
  // Read by the PDF reader, which is in a chunk.
  copyFileSync(join(root, 'lib/mail/files/pdf/cmaps.zip'), join(options.outdir, 'chunks/cmaps.zip'));
  return {
    inputs: Object.assign({}, ...metafiles.map(({ inputs }) => inputs)),
    outputs: Object.assign({}, ...metafiles.map(({ outputs }) => outputs)),
  };
}

function build(
  files: readonly (readonly [name: string, file: string])[],
  options: { readonly outdir: string; readonly minify?: boolean },
): Metafile {
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: files.map(([name, file]) => ({ in: file, out: name })),
    outdir: options.outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[hash]',
    bundle: true,
    splitting: true,
    minify: options.minify ?? true,
    metafile: true,
    // Escapes would double the size of the words that mail is read by.
    charset: 'utf8',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    alias: {
      '@aws-sdk/credential-provider-node': join(root, 'lib/adapters/environment-credentials.ts'),
      '@modelcontextprotocol/server/_shims': join(root, 'lib/constructs/no-schema-validator.ts'),
      '@aws-sdk/endpoint-cache': join(root, 'lib/constructs/no-endpoint-cache.ts'),
      'dom-serializer': join(root, 'lib/constructs/no-serializer.ts'),
      'node:http': join(root, 'lib/constructs/node-http.ts'),
    },
    // CommonJS dependencies require built-in modules.
    banner: {
      js: "import{createRequire as requireOf}from'node:module';const require=requireOf(import.meta.url);",
    },
    logLevel: 'error',
  });
  return metafile;
}

/** Bytes that each function loads at a cold start: its entry file and all chunks that it imports, directly or not. */
export function bundleSizes(metafile: Metafile): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const [path, output] of Object.entries(metafile.outputs)) {
    // Chunks of dynamic imports have an entry point too.
    if (!output.entryPoint || path.includes('/chunks/')) continue;
    const name = path.replace(/^.*\//, '').replace(/\.mjs$/, '');
    sizes.set(name, bytesOf(loadedBy(path, metafile), metafile));
  }
  return sizes;
}

function loadedBy(path: string, metafile: Metafile, seen = new Set<string>()): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  for (const { path: chunk, kind, external } of metafile.outputs[path]?.imports ?? []) {
    if (kind === 'import-statement' && !external) loadedBy(chunk, metafile, seen);
  }
  return seen;
}

function bytesOf(paths: Set<string>, metafile: Metafile): number {
  return [...paths].reduce((sum, path) => sum + (metafile.outputs[path]?.bytes ?? 0), 0);
}
