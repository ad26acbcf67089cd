import { describe, expect, it } from 'vitest';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { file } from './files.ts';
import { rels, workbook } from './workbooks.ts';

const read = async (bytes: Uint8Array) => {
  const { status, text, warnings } = await extractText(file(bytes, 'a.xlsx'));
  return { status, text, warnings };
};
const ready = (...blocks: string[]) => ({ status: 'ready', text: blocks.join('\n\n'), warnings: [] });

describe('extractText of what a workbook has beside its cells', () => {
  const sheetRels = (targets: Parameters<typeof rels>[0]) => ({
    'xl/sheets/_rels/1.xml.rels': rels(targets),
  });

  it('adds more comments than a call has arguments', async () => {
    const empty = Array.from({ length: 400_000 }, (_, at) => `<comment ref="A${at}"/>`).join('');
    const last = '<comment ref="B1"><text><t>word</t></text></comment>';
    const parts = {
      ...sheetRels({ c: ['comments', '../comments1.xml'] }),
      'xl/comments1.xml': `<comments><commentList>${empty}${last}</commentList></comments>`,
    };
    expect(await read(workbook([''], { parts }))).toEqual(ready('## S1', 'Comment on B1: word'));
  });
});
