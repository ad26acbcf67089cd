/** Measures the memory of the largest submission: a file of 10 MB to 300 recipients, in a process of its own. */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { sendMailWorker } from '../../functions/workers/send-mail.contract.ts';
import type { EmailId } from '../../lib/core/ids.ts';
import { limits } from '../../lib/core/limits.ts';
import type { SendMail } from '../../lib/core/queue-messages.ts';
import { replyTo } from '../../test/support/conversation.ts';
import { type Peak, peakOf, runs, worst } from './peak.ts';
import { holdRelay, type Stage, succeeded, type Tenant } from './stage.ts';

export interface SubmissionFigures extends Peak {
  readonly recipients: number;
  readonly fileMegabytes: number;
  /** Calls of SES that took it all. */
  readonly submissions: number;
}

const fileMegabytes = 10;
const fields = ['to', 'cc', 'bcc'];
const perField = limits.recipientsPerField;
const chunks = (fields.length * perField) / limits.recipientsPerSubmission;
/** As `send-mail` gets them. */
const { trigger } = sendMailWorker;
const messagesPerBatch = trigger.kind === 'queue' ? trigger.batchSize : 1;

/** @param outdir where the bundle is */
export async function measureSubmission(stage: Stage, outdir: string): Promise<SubmissionFigures> {
  const tenant = await stage.workspace();
  const file = { filename: 'film.bin', content: randomBytes(fileMegabytes * 1024 * 1024) };
  // A request holds less than that: what is forwarded may be larger.
  await stage.mailIn({ ...replyTo(tenant.address), attachments: [file] });
  await stage.rest();
  const thread = succeeded(await tenant.call('GET', '/threads')).data[0]?.id ?? '';
  const peaks: Peak[] = [];
  for (let run = 0; run < runs; run++) peaks.push(await handOff(stage, tenant, thread, outdir));
  return {
    recipients: fields.length * perField,
    fileMegabytes,
    submissions: chunks,
    ...worst(peaks),
  };
}

/** Forwards the thread, and hands that off in a process of its own. */
async function handOff(stage: Stage, tenant: Tenant, thread: string, outdir: string): Promise<Peak> {
  const { cloud } = stage;
  const region = cloud.environment.DEFAULT_REGION ?? '';
  const relay = holdRelay(stage);
  const before = cloud.ses.sent().length;
  const recipients = fields.map((field) => [field, addresses(field)]);
  const body = Object.fromEntries(recipients);
  const forwarded = succeeded(await tenant.call('POST', `/threads/${thread}/forward`, body));
  const message = (chunk: number | null): SendMail => ({
    kind: 'send-mail',
    v: 1,
    workspaceId: tenant.id,
    emailId: forwarded.id as EmailId,
    chunk,
    slot: chunk === null ? null : { region, at: Date.now(), recipients: limits.recipientsPerSubmission },
  });
  const messages = Array.from({ length: chunks }, (_, chunk) => message(chunk));
  const batches = [[message(null)]];
  for (let at = 0; at < chunks; at += messagesPerBatch)
    batches.push(messages.slice(at, at + messagesPerBatch));
  const task = { module: join(outdir, 'send-mail.mjs'), batches };
  const peak = await peakOf(task, cloud.environment, sendMailWorker.memoryMb);
  relay.release();
  await stage.rest();
  const submissions = cloud.ses.sent().length - before;
  if (submissions !== chunks) throw new Error(`${submissions} submissions for ${chunks} chunks`);
  return peak;
}

function addresses(field: string): string[] {
  return Array.from({ length: perField }, (_, at) => `${field}-${at}@example.test`);
}
