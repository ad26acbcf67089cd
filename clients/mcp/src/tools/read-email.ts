/** Reads one email: its whole text in parts. */
import * as z from 'zod';
import { limits } from '../limits.ts';
import { fileFacts, listed, listedAny, messageFacts, nameOf, signalDetails } from '../mail-facts.ts';
import { Untrusted } from '../result.ts';
import { oneLine, partOf, visible } from '../shown-text.ts';
import { reads, tool } from '../tool.ts';
import { emailId, offset } from './arguments.ts';

export const readEmail = tool({
  name: 'read_email',
  title: 'Read email',
  description:
    'Reads one email whole: all its text with quotes and signatures, addresses, files and the checks of the sender. A long text comes ' +
    'in parts: call again with offset. In a conversation, read_thread is shorter.',
  scope: 'read',
  annotations: reads,
  input: z.strictObject({ email_id: emailId, offset }),
  async run({ email_id: id, offset: from }, { parley, signal }) {
    const email = await parley.emails.retrieve(id, {}, { signal });
    const { text, hiddenCharacters } = visible(email.text ?? '');
    const part = partOf(text, from, limits.resultCharacters);
    return {
      ...messageFacts(email),
      thread_id: email.thread_id,
      ...(hiddenCharacters > 0 && { hidden_characters_removed: hiddenCharacters }),
      characters: part.characters,
      offset: part.offset,
      next_offset: part.nextOffset,
      ...(email.attachments.length > 0 && { files: email.attachments.slice(0, 50).map(fileFacts) }),
      untrusted: new Untrusted({
        from: nameOf(email.from),
        to: listed(email.to),
        cc: listedAny(email.cc),
        bcc: listedAny(email.bcc),
        reply_to: listedAny(email.reply_to),
        subject: oneLine(email.subject, 998),
        signals: signalDetails(email),
        text: part.text,
      }),
    };
  },
});
