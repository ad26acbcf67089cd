/** Calendar files (RFC 5545) as Markdown: a heading and a list of properties for each entry. */
import ical from 'ical.js';
import { decodeFile } from '../decode.ts';
import { extractionLimits } from '../limits.ts';
import { escapeTags, escapeText } from '../markdown.ts';
import { type ReaderResult, type SourceFile, Unreadable } from '../reader.ts';

type Component = InstanceType<typeof ical.Component>;
type Property = InstanceType<typeof ical.Property>;

const entries = ['vevent', 'vtodo', 'vjournal'];

/** Properties in output order. */
const labels: Readonly<Record<string, string>> = {
  dtstart: 'Start',
  dtend: 'End',
  due: 'Due',
  duration: 'Duration',
  rrule: 'Repeats',
  rdate: 'Also on',
  exdate: 'Not on',
  location: 'Location',
  status: 'Status',
  organizer: 'Organizer',
  attendee: 'Attendee',
  contact: 'Contact',
  categories: 'Categories',
  resources: 'Resources',
  url: 'URL',
  comment: 'Comment',
};

export function readCalendar({ bytes }: SourceFile): ReaderResult {
  const calendars = parse(decodeFile(bytes));
  const method = calendars.map((calendar) => calendar.getFirstPropertyValue('method')).find(Boolean);
  const components = calendars.flatMap((calendar) =>
    entries.flatMap((name) => calendar.getAllSubcomponents(name)),
  );
  const shown = components.slice(0, extractionLimits.pages);
  const isPartial = shown.length < components.length;
  return {
    text: [method ? `Method: ${method}` : '', ...shown.map(entryText)].filter(Boolean).join('\n\n'),
    format: 'markdown',
    isPartial,
    warnings: isPartial ? [`Only the first ${shown.length} of ${components.length} entries are shown.`] : [],
  };
}

/** A file may hold several calendars. */
function parse(text: string): Component[] {
  try {
    const read: unknown[] = ical.parse(text);
    const calendars = (Array.isArray(read[0]) ? read : [read]) as ConstructorParameters<
      typeof ical.Component
    >[0][];
    return calendars.map((calendar) => new ical.Component(calendar));
  } catch (cause) {
    throw new Unreadable('The file is not a calendar, or is damaged.', cause);
  }
}

function entryText(component: Component): string {
  const summary = component.getFirstPropertyValue('summary');
  const lines = Object.entries(labels).flatMap(([name, label]) =>
    component.getAllProperties(name).map((property) => `- ${label}: ${escapeTags(displayValue(property))}`),
  );
  const description = component.getFirstPropertyValue('description');
  return [
    `## ${escapeTags(String(summary ?? '(no title)')).replace(/\s+/g, ' ')}`,
    lines.join('\n'),
    description ? escapeText(String(description)) : '',
  ]
    .filter(Boolean)
    .join('\n\n');
}

function displayValue(property: Property): string {
  const value = property.getValues().map(String).join(', ');
  const name = property.getFirstParameter('cn');
  const zone = property.getFirstParameter('tzid');
  const reply = property.getFirstParameter('partstat');
  const person = value.replace(/^mailto:/i, '');
  const named = name ? `${name} <${person}>` : person;
  return [named, zone ? `(${zone})` : '', reply ? `[${reply}]` : '']
    .filter(Boolean)
    .join(' ')
    .replace(/\s+/g, ' ');
}
