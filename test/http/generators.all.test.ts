/** The OpenAPI documents in the hands of generators of clients: no warning, few files, types that fit what a program writes. */
import { readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programs } from '../support/generated-programs.ts';
import {
  diagnosticsOf,
  type GeneratedClient,
  generateClient,
  generatorNames,
} from '../support/generators.ts';

const cases = ([1, 2] as const).flatMap((version) =>
  generatorNames.map((generator) => ({ generator, version })),
);

describe.each(cases)('$generator on the document of version $version', ({ generator, version }) => {
  let client: GeneratedClient;
  beforeAll(async () => {
    client = await generateClient(generator, version);
  });
  afterAll(() => rmSync(client.folder, { recursive: true }));

  it('has no warning, and makes at most 360 files', () => {
    expect(client.output).not.toMatch(/warn|error|⚠|deprecated|duplicate/i);
    expect(client.files.length).toBeLessThanOrEqual(360);
  });

  it('names no type after another one', () => {
    const declared = client.files.flatMap((file) => [
      ...readFileSync(file, 'utf8').matchAll(/^export (?:type|interface|const) (\w+)/gm),
    ]);
    expect(
      declared.map(([, name]) => name).filter((name) => /[a-z]\d$|AnyOf|OneOf|AllOf/.test(name ?? '')),
    ).toEqual([]);
  });

  it.each([{ flags: [] }, { flags: ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'] }])(
    'fits a program that leaves out what has a default, with $flags',
    async ({ flags }) => {
      expect(await diagnosticsOf(client, programs[generator][version], flags)).toEqual([]);
    },
  );

  it('refuses a program with a wrong value', async () => {
    const wrong = programs[generator][version].replace("subject: 'Hello'", 'subject: 4711');
    expect(await diagnosticsOf(client, wrong, [])).toEqual([
      expect.stringContaining("Type 'number' is not assignable to type 'string'"),
    ]);
  });
});
