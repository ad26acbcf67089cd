import { describe, expect, it } from 'vitest';
import { extractText } from '../../../lib/mail/files/extract-text.ts';
import { file, ods } from './files.ts';

const read = async (bytes: Uint8Array) => {
  const { status, text, warnings } = await extractText(file(bytes, 'a.ods'));
  return { status, text, warnings };
};
const ready = (...blocks: string[]) => ({ status: 'ready', text: blocks.join('\n\n'), warnings: [] });
const table = (...cells: string[]) => `| ${cells.join(' | ')} |\n|${' --- |'.repeat(cells.length)}`;
const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;
const cell = (content: string, attributes = '') =>
  `<table:table-cell xmlns:office="of" ${attributes}>${content}</table:table-cell>`;
const shown = (text: string, attributes = '') => cell(`<text:p>${text}</text:p>`, attributes);
const sheet = (content: string, attributes = '') =>
  `<table:table table:name="S" ${attributes}>${content}</table:table>`;
/** A value without the text that shows it. */
const bare = (type: string, value: string) => cell('', `office:value-type="${type}" ${value}`);

describe('extractText of the cells of an OpenDocument sheet', () => {
  it('takes what the writer shows, with all digits', async () => {
    const float = (text: string, value: string) =>
      shown(text, `office:value-type="float" office:value="${value}"`);
    const cells = [
      float('1.234,50 €', '1234.5'),
      float('4,006E+12', '4006381333931'),
      float('###', '353918052345671'),
      float('0.30000000000000004', '0.30000000000000004'),
      // LibreOffice writes fewer digits of small values than it shows.
      float('1.23456789012345E-09', '0.00000000123456789012'),
      shown('a<text:s text:c="2"/>b<text:line-break/>c</text:p><text:p>d'),
      shown('<text:ruby><text:ruby-base>日</text:ruby-base><text:ruby-text>ひ</text:ruby-text></text:ruby>'),
    ];
    expect(await read(ods(sheet(row(...cells))))).toEqual(
      ready(
        '## S',
        table(
          '1.234,50 €',
          '4006381333931',
          '353918052345671',
          '0.3',
          '1.23456789012345E-09',
          'a b c d',
          '日',
        ),
      ),
    );
  });

  it('takes the value when nothing shows it', async () => {
    const cells = [
      bare('float', 'office:value="4006381333931"'),
      bare('percentage', 'office:value="0.07"'),
      bare('currency', 'office:value="9.5" office:currency="EUR"'),
      bare('date', 'office:date-value="2026-01-31T12:30:00"'),
      bare('time', 'office:time-value="PT36H05M00S"'),
      bare('boolean', 'office:boolean-value="true"'),
      bare('string', 'office:string-value="word"'),
    ];
    expect(await read(ods(sheet(row(...cells))))).toEqual(
      ready(
        '## S',
        table('4006381333931', '7%', '9.5 EUR', '2026-01-31 12:30:00', '36:05:00', 'TRUE', 'word'),
      ),
    );
  });

  it('shows formulas and warns when their results are missing', async () => {
    const empty = cell('<text:p/>', 'table:formula="of:=&quot;&quot;" office:value-type="string"');
    const lost = cell('', 'table:formula="of:=SUM([.A1:.B1])"');
    expect(await read(ods(sheet(row(lost, empty))))).toEqual({
      status: 'partial',
      text: `## S\n\n${table('=SUM([.A1:.B1])')}`,
      warnings: ['Formulas without a result in the file, shown as formulas: 1.'],
    });
  });

  it('leaves out changes of the past and copies of other workbooks', async () => {
    const past = `<table:tracked-changes><table:cell-content-change><text:p>old</text:p></table:cell-content-change></table:tracked-changes>`;
    const copy = `<table:table table:name="'file:///b.ods'#$S">${row(shown('foreign'))}</table:table>`;
    const links = ['Values from other workbooks are those of when the file was saved.'];
    expect(await read(ods(past + sheet(row(shown('here'))) + copy))).toEqual({
      ...ready('## S', table('here')),
      warnings: links,
    });
    const linked = shown('there', `table:formula="of:=['file:///b.ods'#$S.A1]"`);
    expect(await read(ods(sheet(row(linked))))).toEqual({
      ...ready('## S', table('there')),
      warnings: links,
    });
  });

  it('keeps a table inside of a cell in that cell', async () => {
    const inner = sheet(row(shown('in'), shown('side')));
    expect(await read(ods(sheet(row(cell(inner), shown('next')))))).toEqual(
      ready('## S', table('in side', 'next')),
    );
  });
});

describe('extractText of an OpenDocument workbook', () => {
  it('marks hidden sheets, rows and columns', async () => {
    const styles = `<style:style style:name="ta2" style:family="table"><style:table-properties table:display="false"/></style:style>`;
    const rows = `<table:table-column/><table:table-column table:visibility="collapse"/>${row(shown('Name'), shown('Cost'))}<table:table-row table:visibility="filter">${shown('Anna')}${shown('5')}</table:table-row>`;
    const tables = sheet(rows) + sheet(row(shown('word')), 'table:style-name="ta2"');
    expect(await read(ods(tables, { styles }))).toEqual(
      ready(
        '## S',
        '| Name | (hidden) Cost |\n| --- | --- |\n| (hidden) Anna | 5 |',
        '## (hidden) S',
        table('word'),
      ),
    );
  });

  it('adds comments, shapes and the titles of charts', async () => {
    const comment = `<office:annotation xmlns:office="of" xmlns:dc="dc"><dc:creator>Bo</dc:creator><dc:date>2026-01-31</dc:date><text:p>Why</text:p><text:p>so?</text:p></office:annotation>`;
    const drawn = `<table:shapes><draw:custom-shape xmlns:draw="d"><text:p>Two</text:p><text:p>lines</text:p></draw:custom-shape><draw:object xmlns:draw="d" xlink:href="./Object 1"/><draw:object xmlns:draw="d" xlink:href="./Object 2"/></table:shapes>`;
    const frame = `<draw:frame xmlns:draw="d"><draw:text-box><text:p>Anchored</text:p></draw:text-box></draw:frame>`;
    const parts = {
      'Object 1/content.xml':
        '<d><chart><title><p>Sales</p></title><axis><title><p>Euro</p></title></axis><series loext:label-string="&quot;North&quot;"/><table><p>copy</p></table></chart></d>',
      'Object 2/content.xml': '<d><text><p>letter</p></text></d>',
    };
    const cells = row(shown('x'), cell(`${comment}<text:p>y</text:p>${frame}`));
    expect(await read(ods(sheet(drawn + cells), { parts }))).toEqual({
      status: 'partial',
      text: [
        '## S',
        table('x', 'y'),
        'Text box: Two lines',
        'Chart: Sales',
        'Chart: Euro',
        'Chart: North',
        'Comment on B1 by Bo: Why so?',
        'Text box: Anchored',
      ].join('\n\n'),
      warnings: ['Files or objects inside the workbook that are not read: 1.'],
    });
  });

  it('adds page headers and footers that do more than count pages', async () => {
    const page = `<d xmlns:style="s" xmlns:text="t"><style:master-page style:name="p1"><style:header><text:p>Secret of <text:sheet-name>???</text:sheet-name></text:p></style:header><style:header-left style:display="false"><text:p>not shown</text:p></style:header-left><style:footer><text:p>Page <text:page-number>1</text:page-number></text:p></style:footer></style:master-page></d>`;
    const styles = `<style:style style:name="ta1" style:family="table" style:master-page-name="p1"/>`;
    const bytes = ods(sheet(row(shown('x')), 'table:style-name="ta1"'), {
      styles,
      parts: { 'styles.xml': page },
    });
    expect(await read(bytes)).toEqual(ready('## S', table('x'), 'Header: Secret of'));
  });
});
