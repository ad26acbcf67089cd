/** `parley tail`: prints events as they come. */
import type { Event } from '../../../typescript/src/index.ts';
import { clientOf } from '../client.ts';
import { aboutEvent, clockTime, colorOf, typeColumns } from '../events/describe.ts';
import { sinceOption, startId } from '../events/start.ts';
import { typeOption, wantedTypes } from '../events/types.ts';
import { command } from '../output.ts';
import { cleanLine, toJson } from '../terminal/clean.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { troubleTeller } from './listen.ts';

export const tail = command({
  name: 'tail',
  summary: 'Prints events as they come, until Ctrl-C.',
  options: { type: typeOption, since: sinceOption },
  examples: [
    ['tail', 'prints what happens from now on'],
    ['tail --type email.bounced --since 1d', 'prints bounces of the last day, and new ones'],
    ['tail --json | jq .data', 'prints one JSON object a line'],
  ],
  endsItself: true,
  run: async (values, { terminal, signal, command: path }) => {
    const types = wantedTypes(values.type);
    const parley = clientOf(values, { terminal, signal, command: path });
    try {
      const events = parley.events.live({
        types: types ? [...types] : [],
        after: await startId(values.since, parley, signal),
        signal,
        onState: troubleTeller({ terminal }),
      });
      for await (const event of events) {
        terminal.print(values.json ? toJson(event, 0) : lineOf(event, terminal));
      }
    } catch (error) {
      // Ctrl-C is how it ends.
      if (!signal.aborted) throw error;
    }
  },
});

export function lineOf(event: Event, { colors }: Pick<Terminal, 'colors'>): string {
  const type = colorOf(event.type, colors)(cleanLine(event.type).padEnd(typeColumns));
  const time = colors.dim(clockTime(new Date(event.created_at)));
  return `${time}  ${type}  ${colors.dim(cleanLine(event.id))}  ${aboutEvent(event)}`;
}
