/** Presentations (PPTX) as Markdown: a heading for each slide, with text, tables and notes. */
import { type Archive, openArchive } from '../archive.ts';
import { extractionLimits } from '../limits.ts';
import { escapeTags, escapeText, markdownTable } from '../markdown.ts';
import { embeddedWarnings, paragraphsOf } from '../office-parts.ts';
import { type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';
import { relationshipsOf } from '../relationships.ts';
import { type Tag, walkXml } from '../xml.ts';

const presentation = 'ppt/presentation.xml';

export async function readPptx({ bytes }: SourceFile): Promise<ReaderResult> {
  const archive = await openArchive(bytes);
  const slides = await slidesOf(archive);
  const shown = slides.slice(0, extractionLimits.pages);
  const texts: string[] = [];
  for (const [at, slide] of shown.entries()) texts.push(await slideText(archive, slide, at + 1));
  const warnings = [
    ...(shown.length < slides.length
      ? [`Only the first ${shown.length} of ${slides.length} slides are shown.`]
      : []),
    ...(await embeddedWarnings(archive)),
  ];
  return {
    text: texts.join('\n\n'),
    format: 'markdown',
    pages: slides.length,
    isPartial: warnings.length > 0,
    warnings,
  };
}

/** Part names of the slides, in presentation order. */
async function slidesOf(archive: Archive): Promise<string[]> {
  const content = await archive.read(presentation);
  if (!content) throw new Unreadable('The file is not a presentation.');
  const relationships = await relationshipsOf(archive, presentation);
  const slides: string[] = [];
  walkXml(content, {
    open({ name, attributes }) {
      const target = relationships.get(attributes['r:id'] ?? '')?.target;
      if (name === 'sldId' && target) slides.push(target);
    },
  });
  return slides;
}

/** Parts of a slide beside its shapes and notes, by the type of their relationship. */
const sideLabels: Readonly<Record<string, string>> = {
  diagramData: 'Diagram',
  chart: 'Chart',
  comments: 'Comments',
};

async function slideText(archive: Archive, slide: string, number: number): Promise<string> {
  const { title, blocks } = textOfShapes(await archive.read(slide));
  const parts = [...(await relationshipsOf(archive, slide)).values()];
  const notes = parts.find(({ type }) => type === 'notesSlide');
  const spoken = notes ? textOfShapes(await archive.read(notes.target)).blocks : [];
  const remarks = spoken.map((block) => ('rows' in block ? block : { ...block, level: null }));
  const sides: string[] = [];
  for (const { type, target } of parts) {
    const label = sideLabels[type];
    const texts = label ? paragraphsOf(await archive.read(target)) : [];
    if (texts.length > 0) sides.push(`${label}: ${texts.map(escapeText).join('\n\n')}`);
  }
  return [
    `## ${escapeTags(title) || `Slide ${number}`}`,
    markdownOf(blocks),
    ...sides,
    remarks.length > 0 ? `Notes: ${markdownOf(remarks)}` : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

/** A table, or a paragraph with its list level (null outside of lists). */
type Block = { readonly text: string; readonly level: number | null } | { readonly rows: string[][] };

function markdownOf(blocks: readonly Block[]): string {
  return blocks
    .map((block, at) => {
      const before = blocks[at - 1];
      const follows = before && 'level' in before && before.level !== null;
      if ('rows' in block) return `\n\n${markdownTable(block.rows)}`;
      if (block.level === null) return `\n\n${escapeText(block.text)}`;
      const indent = '  '.repeat(block.level);
      const text = escapeText(block.text).replaceAll('\n', `\n${indent}  `);
      return `${follows ? '\n' : '\n\n'}${indent}- ${text}`;
    })
    .join('')
    .trim();
}

/** Placeholders whose text is furniture of the slide rather than its content. */
const furniture = new Set(['dt', 'ftr', 'hdr', 'sldNum', 'sldImg']);
const titles = new Set(['title', 'ctrTitle']);
/** Lists of a presentation are nested nine deep at most (ECMA-376 part 1, 21.1.2.2.7). */
const levelMax = 8;

/** The text of a slide's shapes in order, and its title. */
function textOfShapes(content: Buffer | null): { title: string; blocks: Block[] } {
  const blocks: Block[] = [];
  const heading: string[] = [];
  let placeholder = '';
  let paragraph = { text: '', level: 0, isBulleted: false };
  let rows: string[][] | null = null;
  let isText = false;

  const endParagraph = () => {
    const { text, level, isBulleted } = paragraph;
    const lastRow = rows?.at(-1);
    if (text.trim() === '' || furniture.has(placeholder)) return;
    if (lastRow) lastRow.push([lastRow.pop(), text].filter(Boolean).join(' '));
    else if (titles.has(placeholder)) heading.push(text.replace(/\s+/g, ' ').trim());
    else blocks.push({ text: text.trim(), level: isBulleted ? level : null });
  };

  const opened: Record<string, (attributes: Tag['attributes']) => void> = {
    sp: () => {
      placeholder = '';
    },
    ph: ({ type }) => {
      // A placeholder without a type is a body.
      placeholder = type ?? 'body';
    },
    p: () => {
      paragraph = { text: '', level: 0, isBulleted: placeholder === 'body' };
    },
    pPr: ({ lvl }) => {
      paragraph.level = Math.min(Number(lvl) || 0, levelMax);
    },
    buNone: () => {
      paragraph.isBulleted = false;
    },
    buChar: () => {
      paragraph.isBulleted = true;
    },
    buAutoNum: () => {
      paragraph.isBulleted = true;
    },
    br: () => {
      paragraph.text += '\n';
    },
    t: () => {
      isText = true;
    },
    tbl: () => {
      rows = [];
    },
    tr: () => {
      rows?.push([]);
    },
    tc: () => {
      rows?.at(-1)?.push('');
    },
  };
  const closed: Record<string, () => void> = {
    t: () => {
      isText = false;
    },
    p: endParagraph,
    tbl: () => {
      if (rows?.some((row) => row.some(Boolean))) blocks.push({ rows });
      rows = null;
    },
  };
  if (content) {
    walkXml(content, {
      open: ({ name, attributes }) => opened[name]?.(attributes),
      text: (value) => {
        if (isText) paragraph.text += value;
      },
      close: (name) => closed[name]?.(),
    });
  }
  return { title: heading.join(' '), blocks };
}
