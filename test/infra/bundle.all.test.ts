import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Metafile } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '../../functions/operations.ts';
import { bundleFunctions, bundleSizes, handlerFiles } from '../../lib/constructs/bundle.ts';
import { functionName } from '../../lib/http/contract.ts';
import { bundleKilobytesMax, receivingFunctions, startsFast } from '../../scripts/bench/bundle-bounds.ts';

const kb = 1024;

describe('the bundle', () => {
  let outdir: string;
  let metafile: Metafile;

  beforeAll(() => {
    outdir = mkdtempSync(join(tmpdir(), 'parley-bundle-'));
    metafile = bundleFunctions({ outdir });
  });
  afterAll(() => rmSync(outdir, { recursive: true, force: true }));

  it('has a file for every function, and chunks beside them', () => {
    const files = readdirSync(outdir).filter((name) => name !== 'chunks');
    expect(files.sort()).toEqual([...handlerFiles().keys()].map((name) => `${name}.mjs`).sort());
  });

  it('loads at most 475 KB for an operation that reads, 900 KB to receive mail and 800 KB for others', () => {
    const reading = new Set(operations.filter(startsFast).map(({ id }) => functionName(id)));
    const sizes = [...bundleSizes(metafile)].sort(([, a], [, b]) => b - a);
    console.log(
      sizes.map(([name, bytes]) => `${String(Math.round(bytes / kb)).padStart(5)} KB ${name}`).join('\n'),
    );
    const boundOf = (name: string) =>
      receivingFunctions.has(name) ? 'receiving' : reading.has(name) ? 'reading' : 'other';
    const over = sizes.filter(([name, bytes]) => bytes > kb * bundleKilobytesMax[boundOf(name)]);
    expect(over).toEqual([]);
  });

  it("excludes the SDK's chain of credential providers", () => {
    const providers = Object.keys(metafile.inputs).filter((path) =>
      /@aws-sdk\/credential-provider-(?!env\/)/.test(path),
    );
    expect(providers).toEqual([]);
  });

  it('has no operation that contains the list of all operations', () => {
    const carriers = Object.entries(metafile.outputs)
      .filter(([, output]) => 'functions/operations.ts' in output.inputs)
      .map(([path, output]) => output.entryPoint ?? path);
    expect(carriers.filter((path) => /^functions\/(?!public\/)/.test(path))).toEqual([]);
  });
});

describe('bundleFunctions', () => {
  it('throws with the name of the file when a handler is missing', () => {
    const files = new Map([['spaces-create', 'functions/spaces/no-such-file.ts']]);
    expect(() => bundleFunctions({ outdir: join(tmpdir(), 'parley-never'), files })).toThrow(
      'no handler for the contract of functions/spaces/no-such-file.ts',
    );
  });
});
