/** Builds the documentation site as the asset of its function; docs/decisions/0071-docs-site.md. */
import { createHash } from 'node:crypto';
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { buildSync } from 'esbuild';
import { groups, operations } from '../../functions/operations.ts';
import { problemStatus } from '../core/problems.ts';
import { exampleDeployment, openApiDocument } from '../http/openapi.ts';
import { manifestName, type SiteManifest } from '../http/pages/site-manifest.ts';
import { problemDescriptions } from '../http/problem-descriptions.ts';
import { buildSite, type SiteFiles } from '../site/site.ts';
import { addSource, keptFolder, scratchFolder } from './cached-folder.ts';

const root = join(import.meta.dirname, '../..');

/** Default folder of built sites. */
const sitesFolder = join(root, 'dist/site');

/** What a site is made of; everything that contracts import is below lib/core and lib/http. */
const sources = [
  'docs/navigation.json',
  'docs/**/*.md',
  'functions/operations.ts',
  'functions/public/site.ts',
  'functions/**/*.contract.ts',
  'lib/{site,http,core,constructs}/**/*.{ts,css}',
  'package-lock.json',
];

/** Built sites that are kept: one for each of the latest inputs. */
const keptMax = 5;

/**
 * Returns the folder of the site with the code of its function; builds it when its sources or the brand have changed.
 *
 * @throws Error for a page that docs/navigation.json lists and docs/ does not have, or that cannot be rendered
 */
export function siteFolder(brand: string): string {
  const cached = { cache: sitesFolder, name: digestOf(brand), keptMax };
  const kept = keptFolder(cached);
  if (kept) return kept;
  const scratch = scratchFolder(cached);
  try {
    writeSite(siteFiles(brand), join(scratch.path, 'site'));
    bundleFunction('site', scratch.path);
    return scratch.keep(scratch.path);
  } finally {
    scratch.remove();
  }
}

/** The files of the site of this repository. */
export function siteFiles(brand: string): SiteFiles {
  const docs = join(root, 'docs');
  const paths = globSync('**/*.md', { cwd: docs }).filter((path) => !path.startsWith('decisions'));
  const read = (path: string) => withBrand(readFileSync(join(docs, path), 'utf8'), brand);
  const document = (version: 1 | 2) =>
    openApiDocument({ operations, groups, version }, { ...exampleDeployment, brand });
  return buildSite({
    brand,
    sources: new Map(paths.sort().map((path) => [path, read(path)])),
    navigation: read('navigation.json'),
    v2: document(2),
    v1: document(1),
    names: new Map(operations.map(({ id, method, path }) => [`${method} ${path}`, id])),
    problems: Object.fromEntries(
      Object.entries(problemDescriptions).map(([code, facts]) => [
        code,
        { ...facts, status: problemStatus[code as keyof typeof problemStatus] },
      ]),
    ),
    style: styleText(),
    script: scriptText(),
  });
}

/** The documents name the default brand. The class of the client library keeps its name. */
function withBrand(text: string, brand: string): string {
  if (brand === exampleDeployment.brand) return text;
  return text.replace(/(?<!\{ |new |_)\bParley\b/g, brand);
}

function styleText(): string {
  return textOf({ entryPoints: ['lib/site/style.css'], bundle: true });
}

function scriptText(): string {
  return textOf({ entryPoints: ['lib/site/client/main.ts'], bundle: true, format: 'iife', target: 'es2022' });
}

function textOf(options: Parameters<typeof buildSync>[0]): string {
  const { outputFiles } = buildSync({
    ...options,
    absWorkingDir: root,
    minify: true,
    write: false,
    logLevel: 'error',
  });
  return outputFiles?.[0]?.text ?? '';
}

/** Writes each content once, compressed, with a list of all paths. */
export function writeSite(files: SiteFiles, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const manifest: SiteManifest = {};
  for (const [path, { content, isImmutable, type }] of files) {
    const bytes = Buffer.from(content);
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
    manifest[path] = { hash, isImmutable, type };
    writeFileSync(join(folder, `${hash}.gz`), gzipSync(bytes));
    writeFileSync(join(folder, `${hash}.br`), brotli(bytes));
  }
  writeFileSync(join(folder, manifestName), JSON.stringify(manifest));
}

/** Level 5 takes a quarter of the time of 9 and 2 % more bytes (measured). */
function brotli(bytes: Buffer): Buffer {
  return brotliCompressSync(bytes, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 5,
      [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
    },
  });
}

/** Bundles a function of functions/public that has its own code. */
export function bundleFunction(name: string, outdir: string): void {
  buildSync({
    absWorkingDir: root,
    entryPoints: [{ in: `functions/public/${name}.ts`, out: name }],
    outdir,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    minify: true,
    charset: 'utf8',
    format: 'esm',
    platform: 'node',
    target: 'node24',
    mainFields: ['module', 'main'],
    logLevel: 'error',
  });
}

function digestOf(brand: string): string {
  const hash = createHash('sha256').update(JSON.stringify(brand)).update(process.version);
  for (const path of globSync(sources, { cwd: root }).sort()) addSource(hash, root, path);
  return hash.digest('hex').slice(0, 16);
}
