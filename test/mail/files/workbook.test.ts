import { describe, expect, it } from 'vitest';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { file } from './files.ts';
import { rels, sheetData, textCell, workbook } from './workbooks.ts';

const read = async (bytes: Uint8Array) => {
  const { status, text, warnings } = await extractText(file(bytes, 'a.xlsx'));
  return { status, text, warnings };
};
const ready = (...blocks: string[]) => ({ status: 'ready', text: blocks.join('\n\n'), warnings: [] });
const partial = (warnings: string[], ...blocks: string[]) => ({
  status: 'partial',
  text: blocks.join('\n\n'),
  warnings,
});
const table = (...cells: string[]) => `| ${cells.join(' | ')} |\n|${' --- |'.repeat(cells.length)}`;

describe('extractText of the cells of a workbook', () => {
  it('reads each type of value', async () => {
    const cells = `<c r="a1" t="s"><v>0</v></c><c r="b1" t="inlineStr"><is><r><t>in</t></r><r><t>line</t></r><rPh sb="0" eb="2"><t>インライン</t></rPh></is></c>
      <c t="b"><v>1</v></c><c t="e"><v>#N/A</v></c><c t="str"><f>A1</f><v>a_x000D_
b</v></c><c t="d"><v>2026-01-31T00:00:00</v></c><c s="1"><v>44591</v></c><c t="str"><f>""</f><v></v></c>`;
    const strings = ['<r><t>日</t></r><r><t>本</t></r><rPh sb="0" eb="2"><t>にほん</t></rPh><phoneticPr/>'];
    const more = '<workbookPr date1904="1"/>';
    expect(await read(workbook([sheetData(cells)], { strings, formats: [0, 14], more }))).toEqual(
      ready('## S1', table('日本', 'inline', 'TRUE', '#N/A', 'a b', '2026-01-31', '2026-01-31')),
    );
  });

  it('shows formulas and warns when their results are missing', async () => {
    const cells = '<c><f>SUM(B1:C1)</f></c><c><f>B1</f><v>0</v></c><c t="str"><f>"a"</f><v>a</v></c>';
    const warning = (count: number) => `Formulas without a result in the file, shown as formulas: ${count}.`;
    expect(await read(workbook([sheetData(cells)]))).toEqual(
      partial([warning(1)], '## S1', table('=SUM(B1:C1)', '0', 'a')),
    );
    // The writer has calculated nothing: its zeros are placeholders.
    expect(await read(workbook([sheetData(cells)], { more: '<calcPr fullCalcOnLoad="1"/>' }))).toEqual(
      partial([warning(2)], '## S1', table('=SUM(B1:C1)', '=B1', 'a')),
    );
  });

  it('warns when texts, values or a sheet are missing', async () => {
    const cells = `${textCell('here')}<c t="s"><v>0</v></c><c t="e" vm="1"><v>#VALUE!</v></c>`;
    const sheets = '<sheet name="A" r:id="s1"/><sheet name="Gone" r:id="s9"/>';
    expect(await read(workbook([sheetData(cells)], { sheets, strings: null }))).toEqual(
      partial(
        [
          'The sheet "Gone" is missing in the file.',
          'Cells whose text is missing in the file: 1.',
          'Cells with pictures or linked data that are not read: 1.',
        ],
        '## A',
        table('here', '#VALUE!'),
      ),
    );
  });

  it('finds parts anywhere and in any case', async () => {
    const bytes = workbook([], {
      sheets: '<sheet name="A" r:id="x"/>',
      related: { x: ['worksheet', '/xl/Data/Sheet.XML'] },
      parts: {
        'xl/data/sheet.xml': `<worksheet>${sheetData(textCell('found'))}</worksheet>`,
        'xl/data/_rels/sheet.xml.rels': rels({ c: ['chart', 'no.xml'], d: ['drawing', 'Box.xml'] }),
        'xl/data/box.xml': '<sp><t>box</t></sp>',
      },
    });
    expect(await read(bytes)).toEqual(ready('## A', table('found'), 'Text box: box'));
  });
});

it('extractText reads a workbook whatever its prefixes, without references and styles', async () => {
  const bytes = workbook([], {
    sheets: '<x:sheet xmlns:x="m" xmlns:d3p1="r" name="A" d3p1:id="w"/>',
    formats: [],
    related: { w: ['worksheet', 'w.xml'] },
    parts: {
      'xl/w.xml': `<x:worksheet xmlns:x="m"><x:sheetData><x:row><x:c><x:v>4006381333931</x:v></x:c><x:c s="7"><x:v>1.5</x:v></x:c><x:c t="inlineStr"><x:is><x:t>word</x:t></x:is></x:c></x:row></x:sheetData></x:worksheet>`,
    },
  });
  expect(await read(bytes)).toEqual(ready('## A', table('4006381333931', '1.5', 'word')));
});

describe('extractText marks what a workbook hides', () => {
  it('marks sheets, and the first cell of rows and columns', async () => {
    const visible = `<cols><col min="2" max="2" hidden="1"/></cols><sheetData>
      <row><c r="A1" t="inlineStr"><is><t>Name</t></is></c><c r="B1" t="inlineStr"><is><t>Cost</t></is></c></row>
      <row hidden="1"><c r="A2" t="inlineStr"><is><t>Anna</t></is></c><c r="B2"><v>5</v></c></row>
      <row hidden="1"><c r="A3" s="0"/></row></sheetData>`;
    const sheets =
      '<sheet name="A" r:id="s1"/><sheet name="B" state="hidden" r:id="s2"/><sheet name="C" state="veryHidden" r:id="s3"/><sheet name="Empty" r:id="s4"/>';
    const hidden = sheetData(textCell('word'));
    expect(await read(workbook([visible, hidden, hidden, ''], { sheets }))).toEqual(
      ready(
        '## A',
        '| Name | (hidden) Cost |\n| --- | --- |\n| (hidden) Anna | 5 |',
        '## (hidden) B',
        table('word'),
        '## (hidden) C',
        table('word'),
      ),
    );
  });
});

describe('extractText of what a workbook has beside its cells', () => {
  const sheetRels = (targets: Parameters<typeof rels>[0]) => ({
    'xl/sheets/_rels/1.xml.rels': rels(targets),
  });
  const paragraph = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const box = (text: string) => `<x:sp><x:txBody>${text}</x:txBody></x:sp>`;

  it('adds comments, and threads once', async () => {
    const comment = (ref: string, author: number, text: string) =>
      `<comment ref="${ref}" authorId="${author}"><text><r><t>${text}</t></r></text></comment>`;
    const parts = {
      ...sheetRels({ c: ['comments', '../comments1.xml'], t: ['threadedComment', '../threads/1.xml'] }),
      'xl/comments1.xml': `<comments><authors><author>Carla</author><author>tc={1}</author></authors><commentList>${comment('A1', 0, 'Carla:\nAsk her')}${comment('B2', 1, '[Threaded comment] copy')}${comment('C3', 1, 'lost thread')}</commentList></comments>`,
      'xl/threads/1.xml':
        '<ThreadedComments><threadedComment ref="B2" personId="p1"><text>Why?</text></threadedComment><threadedComment ref="B2" personId="p2" parentId="1"><text>Because.</text></threadedComment></ThreadedComments>',
      'xl/persons/person.xml': '<personList><person displayName="Bo" id="p1"/></personList>',
    };
    const related = { people: ['person', 'persons/person.xml'] } as const;
    expect(await read(workbook([sheetData(textCell('x'))], { parts, related }))).toEqual(
      ready(
        '## S1',
        table('x'),
        'Comment on B2 by Bo: Why?',
        'Comment on B2: Because.',
        'Comment on A1 by Carla: Ask her',
        'Comment on C3: lost thread',
      ),
    );
  });

  it('adds text boxes, charts, diagrams and controls', async () => {
    const alternative = `<mc:AlternateContent><mc:Choice>${box(paragraph('Press'))}</mc:Choice><mc:Fallback>${box(paragraph('old program'))}</mc:Fallback></mc:AlternateContent>`;
    const parts = {
      ...sheetRels({ d: ['drawing', '../drawings/1.xml'], v: ['vmlDrawing', '../drawings/1.vml'] }),
      'xl/drawings/1.xml': `<x:wsDr>${box(paragraph('Two') + paragraph('lines'))}${alternative}</x:wsDr>`,
      'xl/drawings/_rels/1.xml.rels': rels({
        c: ['chart', '../charts/1.xml'],
        g: ['diagramData', '../diagrams/data1.xml'],
      }),
      'xl/drawings/1.vml':
        '<xml><v:shape><v:textbox><div><font>Press</font></div></v:textbox></v:shape><v:shape><v:textbox><div>Only<br>here</div></v:textbox></v:shape></xml>',
      'xl/charts/1.xml': `<c:chart><c:title><c:tx><c:rich>${paragraph('Sales')}</c:rich></c:tx></c:title><c:ser><c:tx><c:v>Own name</c:v></c:tx></c:ser><c:ser><c:tx><c:strRef><c:f>A1</c:f><c:strCache><c:pt><c:v>of cell</c:v></c:pt></c:strCache></c:strRef></c:tx></c:ser></c:chart>`,
      'xl/charts/_rels/1.xml.rels': rels({ u: ['chartUserShapes', '../drawings/1.xml'] }),
      'xl/diagrams/data1.xml': `<d:dataModel><d:pt><d:t>${paragraph('Step')}</d:t></d:pt></d:dataModel>`,
    };
    expect(await read(workbook([''], { parts }))).toEqual(
      ready(
        '## S1',
        'Text box: Two lines',
        'Text box: Press',
        'Chart: Sales',
        'Chart: Own name',
        'Diagram: Step',
        'Text box: Only here',
      ),
    );
  });

  it('adds page headers and footers that do more than count pages', async () => {
    const margins = `<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Secret &amp;&amp; dear&amp;R&amp;D</oddHeader><oddFooter>&amp;CPage &amp;P of &amp;N</oddFooter><firstFooter>&amp;K00FF00Draft of Bo, page &amp;P&amp;R- &amp;P / &amp;N -</firstFooter><evenFooter>&amp;CInvoice 4711 &amp;P&amp;RSeite &amp;P</evenFooter></headerFooter>`;
    expect(await read(workbook([sheetData(textCell('x')) + margins]))).toEqual(
      ready(
        '## S1',
        table('x'),
        'Header: Secret & dear',
        'Footer: Draft of Bo, page …',
        'Footer: Invoice 4711 …',
      ),
    );
  });

  it('is partial when a part is damaged, or files are embedded', async () => {
    const parts = {
      ...sheetRels({ d: ['drawing', '../drawings/1.xml'], c: ['comments', '../gone.xml'] }),
      'xl/drawings/1.xml': `<x:wsDr>${box(paragraph('cut'))}`,
      'xl/embeddings/oleObject1.bin': 'x',
    };
    expect(await read(workbook([sheetData(textCell('x'))], { parts }))).toEqual(
      partial(
        [
          'Files or objects inside the workbook that are not read: 1.',
          'A part of the workbook cannot be read: xl/gone.xml.',
          'A part of the workbook cannot be read: xl/drawings/1.xml.',
        ],
        '## S1',
        table('x'),
      ),
    );
  });

  it('warns of values and of pivot tables that come from elsewhere', async () => {
    const related = {
      l: ['externalLink', 'externalLinks/1.xml'],
      p: ['pivotCacheDefinition', 'pivotCache/1.xml'],
    } as const;
    const pivot = (source: string) => ({
      'xl/pivotCache/1.xml': `<pivotCacheDefinition>${source}</pivotCacheDefinition>`,
    });
    const bytes = (source: string) => workbook([sheetData(textCell('x'))], { related, parts: pivot(source) });
    const links = 'Values from other workbooks are those of when the file was saved.';
    const here = '<cacheSource type="worksheet"><worksheetSource ref="A1:B2" sheet="S1"/></cacheSource>';
    expect(await read(bytes(here))).toEqual({ ...ready('## S1', table('x')), warnings: [links] });
    for (const source of [here.replace('S1', 'Gone'), '<cacheSource type="external"/>']) {
      expect((await read(bytes(source))).warnings).toEqual([
        links,
        'The source of a pivot table is not in the sheets, and is not shown.',
      ]);
    }
  });
});

describe('extractText of a hostile workbook', () => {
  it('is partial when one string is shared by too many cells', async () => {
    const bytes = workbook(
      [sheetData('<c t="s"><v>0</v></c>'.repeat(400), '<c t="s"><v>0</v></c>'.repeat(400))],
      {
        strings: [`<t>${'word '.repeat(10_000)}</t>`],
      },
    );
    const { status, text, warnings } = await read(bytes);
    expect(status).toBe('partial');
    expect(text?.length).toBeLessThanOrEqual(4 * 1024 * 1024);
    expect(warnings[0]).toBe('The workbook is too large to be shown as a whole: 4194304 characters at most.');
  });

  it('takes hidden ranges and references of any size', async () => {
    const many = '<col min="1" max="16384" hidden="1"/>'.repeat(20_000);
    const sheet = `<cols>${many}<col min="-5" max="99999999999" hidden="1"/><col min="x" max="y" hidden="1"/></cols><sheetData><row r="99999999999" hidden="1">${textCell('far')}</row><row r="x">${textCell('next')}</row></sheetData>`;
    expect(await read(workbook([sheet]))).toEqual(ready('## S1', '| (hidden) far |\n| --- |\n| next |'));
  });
});
