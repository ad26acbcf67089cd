import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { extractionLimits } from '../../../lib/mail/files/limits.ts';
import { createExtractor } from '../../../lib/mail/files/run-in-process.ts';
import { file, pdf, pdfLines } from './files.ts';

const lib = new URL('../../../lib/mail/files/', import.meta.url);
const program = new URL('child.ts', lib);

const folder = mkdtempSync(join(tmpdir(), 'parley-programs-'));
afterAll(() => rmSync(folder, { recursive: true }));
let programs = 0;

/** A program that runs `code` with a file, in the place of the extraction. */
function reader(code: string): URL {
  programs += 1;
  const path = join(folder, `${programs}.mjs`);
  writeFileSync(
    path,
    `import { serveFiles } from '${new URL('serve-files.ts', lib)}';
serveFiles(async (file, onFault) => { ${code} });`,
  );
  return pathToFileURL(path);
}
const failed = (warning: string) => ({
  status: 'failed',
  format: null,
  pages: null,
  warnings: [warning],
  text: null,
});

describe('createExtractor', () => {
  it('extracts the text of a file', async () => {
    expect(await createExtractor(program).extract(file(pdf([pdfLines('Hi')])))).toEqual({
      status: 'ready',
      format: 'markdown',
      pages: 1,
      warnings: [],
      text: 'Hi',
    });
  });

  it('fails and ends the process when it takes too long', async () => {
    const limits = { ...extractionLimits, seconds: 0.2 };
    expect(await createExtractor(reader('for (;;);'), limits).extract(file('x'))).toEqual(
      failed('Reading the file took longer than 0.2 seconds.'),
    );
  });

  it('fails when the process uses too much memory, on the heap or outside', async () => {
    const limits = { ...extractionLimits, memoryBytes: 64 * 1024 * 1024 };
    const tooBig = failed('Reading the file takes more memory than there is for it.');
    const heap = 'const a = []; for (;;) a.push({ a: [a.length] });';
    const buffers =
      'const a = []; for (;;) { a.push(Buffer.alloc(1e6, 1)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); }';
    expect(await createExtractor(reader(heap), limits).extract(file('x'))).toEqual(tooBig);
    expect(await createExtractor(reader(buffers), limits).extract(file('x'))).toEqual(tooBig);
  });

  it('fails when a PDF page expands too much', async () => {
    const content = deflateSync(Buffer.alloc(100 * 1024 * 1024, 'q Q ')).toString('latin1');
    const stream = `<< /Length ${content.length} /Filter /FlateDecode >>\nstream\n${content}\nendstream`;
    const source = `%PDF-1.4
1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj
2 0 obj\n<< /Type /Pages /Count 1 /Kids [3 0 R] >>\nendobj
3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>\nendobj
4 0 obj\n${stream}\nendobj
trailer\n<< /Size 5 /Root 1 0 R >>\n`;
    const limits = { ...extractionLimits, memoryBytes: 100 * 1024 * 1024 };
    const extractor = createExtractor(program, limits);
    const prepared = await extractor.extract(file(Buffer.from(source, 'latin1')));
    expect(prepared).toEqual(failed('Reading the file takes more memory than there is for it.'));
  });

  it('fails the file and reports the stack without content when the process crashes', async () => {
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(fault);
    const broken = failed('The file is damaged, or written in a way we cannot read.');
    const stray =
      'setImmediate(() => { throw new RangeError("sec" + "ret"); }); await new Promise(() => {});';
    expect(await createExtractor(reader(stray)).extract(file('x'), onFault)).toEqual(broken);
    const thrown = reader('throw new RangeError("sec" + "ret")');
    expect(await createExtractor(thrown).extract(file('x'), onFault)).toEqual(broken);
    expect(await createExtractor(reader('process.exit(3)')).extract(file('x'), onFault)).toEqual(broken);
    const fault = { name: 'RangeError', frames: expect.arrayContaining([expect.stringContaining('.mjs:')]) };
    expect(faults).toEqual([fault, fault]);
    expect(JSON.stringify(faults)).not.toContain('secret');
  });

  /** Answers with the id of its process, which it ends or fills where the file says so. */
  const identified = `
    const text = String(Buffer.from(file.bytes));
    if (text === 'end') process.exit(3);
    if (text === 'fill') globalThis.filled = Buffer.alloc(200e6, 1);
    return { status: 'ready', format: null, pages: null, warnings: [], text: String(process.pid) };`;

  it('keeps the process for the next file, also at the same time, until a file ends or fills it', async () => {
    const limits = { ...extractionLimits, memoryBytes: 600 * 1024 * 1024 };
    const extractor = createExtractor(reader(identified), limits);
    const pid = async (content: string) => (await extractor.extract(file(content))).text;
    const first = await pid('a');
    expect(await pid('b')).toBe(first);
    const both = await Promise.all([pid('a'), pid('b')]);
    expect(both).toContain(first);
    expect(new Set(both).size).toBe(2);

    expect([await pid('end'), await pid('end')]).toEqual([null, null]);
    const next = await pid('a');
    expect(both).not.toContain(next);
    expect(await pid('fill')).toBe(next);
    expect(await pid('a')).not.toBe(next);
  });

  it('gets no variable of the environment, which holds the credentials of the function', async () => {
    const code = `return { status: 'ready', format: null, pages: null, warnings: Object.keys(process.env), text: null };`;
    expect(Object.keys(process.env)).not.toEqual([]);
    const { warnings } = await createExtractor(reader(code)).extract(file('x'));
    expect(warnings).toEqual([]);
  });
});
