/** Measures the memory of the largest hand-off: a file of 10 MB to 300 recipients, in a process of its own. */
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sendMailWorker } from '../../functions/workers/send-mail.contract.ts';
import type { EmailId } from '../../lib/domain/ids.ts';
import { limits } from '../../lib/domain/limits.ts';
import type { SendMail } from '../../lib/domain/messages.ts';
import { answerTo } from './operation-cases.ts';
import type { PeakAnswer, PeakTask } from './peak-memory.ts';
import { localNames, type Stage, succeeded, type Tenant } from './stage.ts';

export interface MemoryFigures {
  readonly recipients: number;
  readonly fileMegabytes: number;
  /** Of the process that hands off, at its largest; and before it did anything. */
  readonly peakMegabytes: number;
  readonly idleMegabytes: number;
  /** Calls of SES that took it all. */
  readonly handOffs: number;
}

const fileMegabytes = 10;
export const memoryTargetMegabytes = 512;
const fields = ['to', 'cc', 'bcc'];
const perField = limits.recipientsPerField;
const chunks = (fields.length * perField) / limits.recipientsPerHandOff;
/** As `send-mail` gets them. */
const { trigger } = sendMailWorker;
const messagesPerBatch = trigger.kind === 'queue' ? trigger.batchSize : 1;

/** What is garbage at the peak is a matter of luck, so the worst of several counts. */
const runs = 3;

/** @param outdir where the bundle is */
export async function measureMemory(stage: Stage, outdir: string): Promise<MemoryFigures> {
  const tenant = await stage.workspace();
  const file = { filename: 'film.bin', content: randomBytes(fileMegabytes * 1024 * 1024) };
  // A request holds less than that: what is forwarded may be larger.
  await stage.mailIn({ ...answerTo(tenant.address), attachments: [file] });
  await stage.rest();
  const thread = succeeded(await tenant.call('GET', '/threads')).data[0]?.id ?? '';
  const peaks: PeakAnswer[] = [];
  for (let run = 0; run < runs; run++) peaks.push(await handOff(stage, tenant, thread, outdir));
  const worst = (figure: (peak: PeakAnswer) => number) => Math.max(...peaks.map(figure)) / 2 ** 20;
  return {
    recipients: fields.length * perField,
    fileMegabytes,
    handOffs: chunks,
    peakMegabytes: worst(({ peakBytes }) => peakBytes),
    idleMegabytes: worst(({ idleBytes }) => idleBytes),
  };
}

/** Forwards the thread, and hands that off in a process of its own. */
async function handOff(stage: Stage, tenant: Tenant, thread: string, outdir: string): Promise<PeakAnswer> {
  const { cloud } = stage;
  // The deployment's own hand-off must not get there first.
  const fault = cloud.faults.add({
    service: 'sqs',
    action: 'SendMessage',
    principal: localNames.workerFunction('relay'),
    times: Number.POSITIVE_INFINITY,
    kind: 'error',
  });
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
  });
  const messages = Array.from({ length: chunks }, (_, chunk) => message(chunk));
  const batches = [[message(null)]];
  for (let at = 0; at < chunks; at += messagesPerBatch)
    batches.push(messages.slice(at, at + messagesPerBatch));
  const peak = await peakOf({ module: join(outdir, 'send-mail.mjs'), batches }, cloud.environment);
  cloud.faults.remove(fault);
  await stage.rest();
  const handOffs = cloud.ses.sent().length - before;
  if (handOffs !== chunks) throw new Error(`${handOffs} hand-offs for ${chunks} chunks`);
  return peak;
}

function addresses(field: string): string[] {
  return Array.from({ length: perField }, (_, at) => `${field}-${at}@example.test`);
}

async function peakOf(task: PeakTask, environment: Readonly<Record<string, string>>): Promise<PeakAnswer> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [
      // Nine tenths of the memory, as Lambda's runtime sets it.
      `--max-old-space-size=${Math.floor(0.9 * memoryTargetMegabytes)}`,
      join(import.meta.dirname, 'peak-memory.ts'),
      JSON.stringify(task),
    ],
    { env: { ...process.env, ...environment } },
  );
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as PeakAnswer;
}
