/** What styles say of the sheets of an OpenDocument file: which are hidden, and their page headers and footers. */

import { isPageCount } from '../xlsx/worksheet.ts';
import { walkXml } from '../xml.ts';

export interface SheetStyle {
  readonly isHidden: boolean;
  /** Headers and footers of the printed pages, with their label. */
  readonly margins: readonly (readonly [label: string, text: string])[];
}

/** The styles of sheets by name. */
export function sheetStylesOf(content: Buffer, styles: Buffer | null): Map<string, SheetStyle> {
  const margins = styles ? marginsOf(styles) : new Map<string, SheetStyle['margins']>();
  const found = new Map<string, SheetStyle>();
  let style: { name: string; page: string } | null = null;
  for (const source of [styles, content]) {
    if (!source) continue;
    walkXml(source, {
      open({ name, attributes }) {
        if (name === 'style') {
          const isTable = attributes['style:family'] === 'table';
          const page = attributes['style:master-page-name'] ?? '';
          style = isTable ? { name: attributes['style:name'] ?? '', page } : null;
          if (style) found.set(style.name, { isHidden: false, margins: margins.get(page) ?? [] });
        } else if (name === 'table-properties' && style && attributes['table:display'] === 'false') {
          found.set(style.name, { isHidden: true, margins: margins.get(style.page) ?? [] });
        }
      },
      close(name) {
        if (name === 'style') style = null;
      },
    });
  }
  return found;
}

const marginName = /^(header|footer)(?:-left|-first)?$/;
/** Fields whose content is that of when the file was saved. */
const fields = new Set(['sheet-name', 'title', 'date', 'time', 'file-name']);
const pages = new Set(['page-number', 'page-count']);
const pageMark = '\ue000';

/** The headers and footers of each page style, without those that only count pages. */
function marginsOf(styles: Buffer): Map<string, SheetStyle['margins']> {
  const margins = new Map<string, [string, string][]>();
  let page: [string, string][] = [];
  let label = '';
  let text = '';
  let isText = false;
  walkXml(styles, {
    open({ name, attributes }) {
      if (name === 'master-page') {
        page = [];
        margins.set(attributes['style:name'] ?? '', page);
      }
      const [, kind] = marginName.exec(name) ?? [];
      if (kind) label = attributes['style:display'] === 'false' ? '' : kind;
      if (name === 'p') text = '';
      if (pages.has(name)) text += pageMark;
      isText = label !== '' && !fields.has(name) && !pages.has(name);
    },
    text(value) {
      if (isText) text += value;
    },
    close(name) {
      if (marginName.test(name)) label = '';
      isText = label !== '';
      const shown = text.replaceAll(pageMark, '…').trim();
      if (name !== 'p' || label === '' || isPageCount(text, pageMark) || !/[\p{L}\p{N}]/u.test(shown)) return;
      const entry: [string, string] = [label === 'header' ? 'Header' : 'Footer', shown];
      if (!page.some(([, known]) => known === shown)) page.push(entry);
    },
  });
  return margins;
}
