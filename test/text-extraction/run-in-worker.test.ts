import { pathToFileURL } from 'node:url';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { extractionLimits } from '../../lib/text-extraction/limits.ts';
import { extractInWorker } from '../../lib/text-extraction/run-in-worker.ts';
import { file, pdf, pdfLines } from './files.ts';

const module = (name: string) => pathToFileURL(`${import.meta.dirname}/../../lib/text-extraction/${name}`);
const script = (code: string) => new URL(`data:text/javascript,${encodeURIComponent(code)}`);
const failed = (warning: string) => ({
  status: 'failed',
  format: null,
  pages: null,
  warnings: [warning],
  text: null,
});

describe('extractInWorker', () => {
  it('extracts the text of a file', async () => {
    expect(await extractInWorker(file(pdf([pdfLines('Hi')])), module('worker.ts'))).toEqual({
      status: 'ready',
      format: 'text',
      pages: 1,
      warnings: [],
      text: 'Hi',
    });
  });

  it('fails and terminates the thread when it takes too long', async () => {
    const limits = { ...extractionLimits, seconds: 0.2 };
    expect(await extractInWorker(file('x'), script('for (;;);'), { limits })).toEqual(
      failed('Reading the file took longer than 0.2 seconds.'),
    );
  });

  it('fails when the thread uses too much memory, on the heap or outside', async () => {
    const limits = { ...extractionLimits, memoryBytes: 64 * 1024 * 1024 };
    const tooBig = failed('Reading the file takes more memory than there is for it.');
    const heap = 'const a = []; for (;;) a.push({ a: [a.length] });';
    const buffers =
      'const a = []; for (;;) { a.push(Buffer.alloc(1e6, 1)); Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1); }';
    expect(await extractInWorker(file('x'), script(heap), { limits })).toEqual(tooBig);
    expect(await extractInWorker(file('x'), script(buffers), { limits })).toEqual(tooBig);
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
    const prepared = await extractInWorker(file(Buffer.from(source, 'latin1')), module('worker.ts'), {
      limits,
    });
    expect(prepared).toEqual(failed('Reading the file takes more memory than there is for it.'));
  });

  it('fails the file and reports the stack without content when the thread crashes', async () => {
    const faults: unknown[] = [];
    const onFault = (fault: unknown) => faults.push(fault);
    const broken = failed('The file is damaged, or written in a way we cannot read.');
    expect(
      await extractInWorker(file('x'), script('throw new RangeError("sec" + "ret")'), { onFault }),
    ).toEqual(broken);
    expect(await extractInWorker(file('x'), script('process.exit(3)'), { onFault })).toEqual(broken);
    expect(faults).toEqual([
      { name: 'RangeError', frames: expect.arrayContaining([expect.stringContaining('data:')]) },
    ]);
    expect(JSON.stringify(faults)).not.toContain('secret');
  });

  it('gets no variable of the environment, which holds the credentials of the function', async () => {
    const code = `import { parentPort } from 'node:worker_threads';
const extracted = { status: 'ready', format: null, pages: null, warnings: Object.keys(process.env), text: null };
parentPort.postMessage({ extracted, faults: [] });`;
    expect(Object.keys(process.env)).not.toEqual([]);
    const { warnings } = await extractInWorker(file('x'), script(code));
    expect(warnings).toEqual([]);
  });
});
