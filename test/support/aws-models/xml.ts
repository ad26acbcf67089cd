/** Compares XML of the query and REST-XML protocols with a shape: the names of elements, and required ones. */
import type { NormalizedSchema } from '@smithy/core/schema';
import { SaxesParser } from 'saxes';
import type { Problems } from './shapes.ts';
import { bodyMembers } from './shapes.ts';

export interface Element {
  readonly name: string;
  readonly children: Element[];
  text: string;
}

export function parseXml(text: string): Element {
  const root: Element = { name: '', children: [], text: '' };
  const open = [root];
  const parser = new SaxesParser();
  parser.on('opentag', ({ name }) => {
    const element: Element = { name, children: [], text: '' };
    open.at(-1)?.children.push(element);
    open.push(element);
  });
  parser.on('text', (part) => {
    const element = open.at(-1);
    if (element) element.text += part;
  });
  parser.on('closetag', () => void open.pop());
  parser.write(text).close();
  return root.children[0] ?? root;
}

export function compareElement(shape: NormalizedSchema, element: Element, path: string): Problems {
  if (!shape.isStructSchema()) return [];
  const members = new Map(
    [...bodyMembers(shape)].map(([name, member]) => [member.getMergedTraits().xmlName ?? name, member]),
  );
  return element.children.flatMap((child) => {
    const member = members.get(child.name);
    const where = `${path}.${child.name}`;
    if (!member) return [`${where} is not in the model`];
    if (!member.isListSchema()) return compareElement(member, child, where);
    const value = member.getValueSchema();
    if (member.getMergedTraits().xmlFlattened) return compareElement(value, child, where);
    const name = value.getMergedTraits().xmlName ?? 'member';
    return child.children.flatMap((one) =>
      one.name === name ? compareElement(value, one, where) : [`${where}.${one.name} is not ${name}`],
    );
  });
}
