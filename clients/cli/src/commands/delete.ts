/** `parley delete`. */
import { clientOf } from '../client.ts';
import { command, result } from '../output.ts';
import { ask } from '../terminal/ask.ts';
import { cleanLine } from '../terminal/clean.ts';
import { UsageError } from '../terminal/exit.ts';

export const deleteMail = command({
  name: 'delete',
  summary: 'Deletes an email, a draft or a whole thread for good.',
  details: 'It asks before, on a terminal. Elsewhere it needs --yes.',
  positionals: { id: { demandOption: true, describe: 'eml_… or thr_…' } },
  options: { yes: { type: 'boolean', describe: 'without asking' } },
  examples: [
    ['delete thr_0190…', 'deletes a conversation with all its emails, files and drafts'],
    ['delete eml_0190… --yes', 'deletes one email, for a program'],
  ],
  run: async (values, context) => {
    const { id } = values;
    const { signal, terminal } = context;
    const parley = clientOf(values, context);
    const isThread = id.startsWith('thr_');
    if (!values.yes) {
      if (!terminal.isInteractive) throw new UsageError('Nobody can be asked here: give --yes.');
      const { subject } = isThread
        ? await parley.threads.retrieve(id, { message_limit: 1 }, { signal })
        : await parley.emails.retrieve(id, {}, { signal });
      const what = isThread
        ? 'the thread, with all its emails, files and drafts'
        : 'the email, with its files';
      const answer = await ask(
        `Delete ${what}, for good: ${cleanLine(subject) || '(no subject)'}? (yes/no) `,
      );
      if (answer !== 'yes')
        return result(values, context, { id, deleted: false }, () => 'Nothing is deleted.');
    }
    if (isThread) await parley.threads.delete(id, { signal });
    else await parley.emails.delete(id, { signal });
    result(values, context, { id, deleted: true }, () => `${id}  deleted`);
  },
});
