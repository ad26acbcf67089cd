/** Contract of `POST /threads/{thread_id}/reply`. */
import * as z from 'zod';
import { operation } from '../../lib/http/contract.ts';
import {
  bodyMissing,
  cancelOnReplyInput,
  hasBody,
  messageFields,
  recipientsInput,
  replyAllText,
  senderInput,
  textOrHtml,
  withoutTime,
} from '../../lib/http/presenters/outgoing.ts';
import { claimOwner } from '../../lib/http/presenters/thread-marks.ts';
import { idSchema } from '../../lib/http/schemas.ts';
import { sending, sendingProblems } from '../../lib/http/send-operation.ts';

export const replyToThreadOperation = operation({
  id: 'threads.reply',
  operationId: 'replyToThread',
  method: 'POST',
  path: '/api/v2/threads/{thread_id}/reply',
  summary: 'Reply to a thread',
  description:
    'Replies to the newest message that is neither scheduled nor canceled, in the background as `POST /emails` does. ' +
    'The default `to` is the author of ' +
    'the newest received message that is no bounce, failed no check and is not from an address of the workspace: its ' +
    'Reply-To, as far as it is proved or in the domain of From, or else From. If there is none, it is the To of the ' +
    'newest sent message. Addresses of the workspace are never ' +
    'default recipients; where nobody is left, the answer is `no_recipients`, and `to` has to name the recipients.',
  ...sending,
  params: z.strictObject({ thread_id: idSchema('thr') }),
  query: z.strictObject({}),
  body: z
    .strictObject({
      ...messageFields,
      from: senderInput
        .optional()
        .describe('A sender as of `POST /emails`. Default: the mailbox of the thread.'),
      to: recipientsInput
        .optional()
        .describe(
          'Recipients of the To header, 1 to 100. Default: the author of the newest received message.',
        ),
      subject: messageFields.subject
        .optional()
        .describe("The subject line, without line breaks; default: the thread's with one `Re: `."),
      claim_owner: claimOwner
        .optional()
        .describe('Sends only while this owner has the claim on the thread, else `thread_claimed`.'),
      cancel_on_reply: cancelOnReplyInput,
      reply_all: z.boolean().default(false).describe(replyAllText),
    })
    .refine(hasBody, bodyMissing)
    .refine(withoutTime.check, withoutTime.options)
    .meta(textOrHtml)
    .meta({
      description: 'A reply; `html` or `text` is required.',
      examples: [{ text: 'You are welcome.' }],
    }),
  problems: [...sendingProblems, 'thread_empty', 'thread_claimed'],
});
