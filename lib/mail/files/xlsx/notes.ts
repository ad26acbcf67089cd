/** Texts of a sheet outside of its cells: comments, text boxes and other shapes, charts, controls. */
import { Parser } from 'htmlparser2';
import type { Relationship } from '../relationships.ts';
import type { SheetCollector } from '../sheets.ts';
import { walkXml } from '../xml.ts';
import { unescaped } from './worksheet.ts';

/** The parts of a workbook, of which some may be missing or damaged. */
export interface Parts {
  /** Null if there is no such part, or no readable one; the workbook is partial then. */
  read(name: string): Promise<Buffer | null>;
  relationships(part: string): Promise<readonly Relationship[]>;
}

/** @param persons names of who comments, by id */
export async function addNotes(
  parts: Parts,
  sheet: string,
  persons: ReadonlyMap<string, string>,
  collector: SheetCollector,
): Promise<void> {
  const relationships = await parts.relationships(sheet);
  const targets = (type: string) =>
    relationships.filter((relationship) => relationship.type === type).map(({ target }) => target);
  let comments: Comment[] = [];
  for (const part of targets('threadedComment')) {
    comments = comments.concat(threadedOf(await parts.read(part), persons));
  }
  const inThreads = new Set(comments.map(({ cell }) => cell));
  for (const part of targets('comments')) {
    // A thread has a copy for older programs.
    comments = comments.concat(
      commentsOf(await parts.read(part)).filter(
        ({ cell, author }) => !(inThreads.has(cell) && author.startsWith('tc=')),
      ),
    );
  }
  for (const { cell, author, text } of comments) {
    const by = author.trim() && !author.startsWith('tc=') ? ` by ${author.trim()}` : '';
    collector.note(`Comment on ${cell}${by}`, text);
  }
  const shown = new Set<string>();
  for (const part of targets('drawing')) await addDrawing(parts, part, collector, shown);
  for (const part of targets('vmlDrawing')) {
    for (const text of controlTexts(await parts.read(part))) {
      if (!shown.has(text)) collector.note('Text box', text);
    }
  }
}

/** What a drawing, or a chart of it, has more of. */
const drawn: Readonly<Record<string, string>> = {
  chart: 'Chart',
  chartEx: 'Chart',
  chartUserShapes: 'Text box',
  diagramData: 'Diagram',
};

/** The texts of a drawing, of the charts and diagrams in it, and of the shapes in its charts. */
async function addDrawing(
  parts: Parts,
  drawing: string,
  collector: SheetCollector,
  shown: Set<string>,
): Promise<void> {
  const pending = [{ part: drawing, label: 'Text box' }];
  const seen = new Set([drawing]);
  for (let next = pending.shift(); next; next = pending.shift()) {
    for (const text of shapeTexts(await parts.read(next.part))) {
      shown.add(text);
      collector.note(next.label, text);
    }
    for (const { type, target } of await parts.relationships(next.part)) {
      const label = drawn[type];
      if (!label || seen.has(target)) continue;
      seen.add(target);
      pending.push({ part: target, label });
    }
  }
}

interface Comment {
  /** Reference such as `B2`. */
  readonly cell: string;
  readonly author: string;
  readonly text: string;
}

function commentsOf(content: Buffer | null): Comment[] {
  const authors: string[] = [];
  const comments: Comment[] = [];
  let at = { cell: '', author: '' };
  let text = '';
  let isText = false;
  let isAid = false;
  if (!content) return comments;
  walkXml(content, {
    open({ name, attributes }) {
      if (name === 'comment') {
        at = { cell: attributes.ref ?? '', author: authors[Number(attributes.authorId)] ?? '' };
      }
      if (name === 'comment' || name === 'author') text = '';
      if (name === 'rPh') isAid = true;
      isText = name === 'author' || (name === 't' && !isAid);
    },
    text(value) {
      if (isText) text += value;
    },
    close(name) {
      isText = false;
      if (name === 'rPh') isAid = false;
      else if (name === 'author') authors.push(unescaped(text));
      else if (name === 'comment') comments.push({ ...at, text: withoutAuthor(unescaped(text), at.author) });
    },
  });
  return comments;
}

/** Excel begins a comment with the name of its author. */
function withoutAuthor(text: string, author: string): string {
  return author && text.startsWith(`${author}:`) ? text.slice(author.length + 1) : text;
}

function threadedOf(content: Buffer | null, persons: ReadonlyMap<string, string>): Comment[] {
  const comments: Comment[] = [];
  let at = { cell: '', author: '' };
  let text = '';
  let isText = false;
  if (!content) return comments;
  walkXml(content, {
    open({ name, attributes }) {
      isText = name === 'text';
      if (name !== 'threadedComment') return;
      at = { cell: attributes.ref ?? '', author: persons.get(attributes.personId ?? '') ?? '' };
      text = '';
    },
    text(value) {
      if (isText) text += value;
    },
    close(name) {
      isText = false;
      if (name === 'threadedComment') comments.push({ ...at, text });
    },
  });
  return comments;
}

export function personsOf(content: Buffer | null): Map<string, string> {
  const persons = new Map<string, string>();
  if (content) {
    walkXml(content, {
      open({ name, attributes: { id, displayName } }) {
        if (name === 'person' && id && displayName) persons.set(id, displayName);
      },
    });
  }
  return persons;
}

/** Elements that end the text of a shape, of a title, of a point of a diagram. */
const shapeEnds = new Set(['sp', 'txBody', 'rich', 'tx', 'pt']);

/** The text of each shape of a drawing, a chart or a diagram (DrawingML: ECMA-376 part 1, 21). */
function shapeTexts(content: Buffer | null): string[] {
  const texts: string[] = [];
  let text = '';
  let isText = false;
  let fallbacks = 0;
  let parent = '';
  const end = () => {
    if (text.trim() !== '') texts.push(text.replace(/\s+/g, ' ').trim());
    text = '';
  };
  if (!content) return texts;
  walkXml(content, {
    open({ name }) {
      // What programs show that do not know the shape.
      if (name === 'Fallback') fallbacks++;
      if (name === 'br' || name === 'p') text += ' ';
      // The name of a series is no run of text; those of cells are in the table already.
      isText = (name === 't' || (name === 'v' && parent === 'tx')) && fallbacks === 0;
      parent = name;
    },
    text(value) {
      if (isText) text += value;
    },
    close(name) {
      isText = false;
      if (name === 'Fallback') fallbacks--;
      if (shapeEnds.has(name)) end();
    },
  });
  end();
  return texts;
}

/** The captions of controls in VML, which is not always well-formed. Shapes of comments have none. */
function controlTexts(content: Buffer | null): string[] {
  const texts: string[] = [];
  let text = '';
  let boxes = 0;
  const parser = new Parser({
    onopentag(name) {
      if (name === 'v:textbox') boxes++;
      else if (boxes > 0) text += ' ';
    },
    ontext(value) {
      if (boxes > 0) text += value;
    },
    onclosetag(name) {
      if (name !== 'v:textbox' || --boxes > 0) return;
      if (text.trim() !== '') texts.push(text.replace(/\s+/g, ' ').trim());
      text = '';
    },
  });
  if (content) parser.end(content.toString('utf8'));
  return texts;
}
