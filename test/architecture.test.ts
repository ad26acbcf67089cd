import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');

/** Every source file with what it imports of ours at run time; types leave no trace and may come from anywhere. */
const imports = new Map(
  globSync('{bin,functions,lib,scripts}/**/*.ts', { cwd: root }).map(
    (file) => [file, importsOf(file)] as const,
  ),
);

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  const statements = text.matchAll(
    /^(?:import|export)\s(?!type\b)[^;]*?from\s+'(\.[^']+)'|import\('(\.[^']+)'\)/gm,
  );
  return [...statements].map(([, from, dynamic]) =>
    relative(root, join(root, dirname(file), from ?? dynamic ?? '')),
  );
}

/** `file -> import` for each import of the files under `room` that is none of `allowed`. */
function trespasses(room: RegExp, allowed: RegExp): string[] {
  return [...imports]
    .filter(([file]) => room.test(file))
    .flatMap(([file, targets]) =>
      targets.filter((target) => !allowed.test(target)).map((target) => `${file} -> ${target}`),
    );
}

/** Everything that a file loads, however indirectly. */
function loadedBy(file: string, seen = new Set<string>()): Set<string> {
  for (const target of imports.get(file) ?? []) {
    if (seen.has(target)) continue;
    seen.add(target);
    loadedBy(target, seen);
  }
  return seen;
}

const contracts = [...imports.keys()].filter((file) => file.endsWith('.contract.ts'));
const handlers = [...imports.keys()].filter((file) => /^functions\/[\w-]+\/[\w-]+\.ts$/.test(file));
const isContract = /\.contract\.ts$/;

describe('imports', () => {
  it('are found at all', () => {
    expect(imports.get('lib/constructs/names.ts')).toContain('lib/domain/access.ts');
    expect(contracts.length).toBeGreaterThan(5);
  });

  it('of lib/domain stay in lib/domain', () => {
    expect(trespasses(/^lib\/domain\//, /^lib\/domain\//)).toEqual([]);
  });

  it('of lib/preparation stay there, but for the domain: what reads strangers’ files can reach nothing', () => {
    expect(trespasses(/^lib\/preparation\//, /^lib\/(preparation|domain)\//)).toEqual([]);
  });

  it('of lib/storage and lib/adapters reach down only: to the domain, each other and the environment', () => {
    expect(trespasses(/^lib\/(storage|adapters)\//, /^lib\/((domain|storage|adapters)\/|env\.ts$)/)).toEqual(
      [],
    );
  });

  it('of lib/http leave functions, stacks and the local cloud alone', () => {
    expect(trespasses(/^lib\/http\//, /^lib\/((domain|storage|adapters|http|services)\/|env\.ts$)/)).toEqual(
      [],
    );
  });

  it('of a contract bring no client: synthesis and the OpenAPI document load them all', () => {
    const clients = contracts.flatMap((file) =>
      [...loadedBy(file)]
        .filter((target) => /^lib\/(storage|adapters)\//.test(target))
        .map((target) => `${file} -> ${target}`),
    );
    expect(clients).toEqual([]);
  });

  it('of a handler do not load the lists of functions, which hold every schema', () => {
    const lists = /^functions\/(operations|workers|public)\.ts$/;
    const loading = handlers
      .filter((file) => !isContract.test(file) && !/^functions\/public\/(fallback|openapi)\.ts$/.test(file))
      .flatMap((file) =>
        [...loadedBy(file)].filter((target) => lists.test(target)).map((target) => `${file} -> ${target}`),
      );
    expect(loading).toEqual([]);
  });

  it('of the CDK app reach contracts and never handlers', () => {
    const loaded = [...loadedBy('bin/app.ts')];
    const own = loaded.filter((file) => handlers.includes(file) && !isContract.test(file));
    expect(loaded.length).toBeGreaterThan(10);
    expect(own).toEqual([]);
  });

  it('of the CDK app reach no part of the storage but the keys', () => {
    const storage = [...loadedBy('bin/app.ts')].filter((file) =>
      /^lib\/(storage|adapters|local)\//.test(file),
    );
    expect(storage).toEqual(['lib/storage/keys.ts']);
  });

  it('of functions and of what they use leave the CDK app and the local cloud alone', () => {
    expect(
      trespasses(
        /^(functions|lib\/(http|services|storage|adapters))\//,
        /^(?!lib\/(stacks|constructs|local)\/)/,
      ),
    ).toEqual([]);
  });

  it('run in no circle', () => {
    const circles = [...imports.keys()].filter((file) => loadedBy(file).has(file));
    expect(circles).toEqual([]);
  });
});
