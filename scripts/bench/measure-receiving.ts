/** Measures the memory of the largest messages: taken in, in many shapes, and the largest file read; each in a process of its own. */
import { join } from 'node:path';
import { extractTextWorker } from '../../functions/workers/extract-text.contract.ts';
import { receiveMailWorker } from '../../functions/workers/receive-mail.contract.ts';
import { namesOf } from '../../lib/constructs/names.ts';
import type { AttachmentId, EmailId } from '../../lib/core/ids.ts';
import type { ExtractText } from '../../lib/core/queue-messages.ts';
import { localAccount, mailRegions } from '../../lib/local/index.ts';
import { newEvent } from '../../lib/services/events/new-event.ts';
import { largeMails, largeTable } from './large-mail.ts';
import { type Peak, peakOf, runs, worst } from './peak.ts';
import { type AnyRecord, holdRelay, type Stage, succeeded, type Tenant } from './stage.ts';

export interface ReceivingFigures {
  /** By what is in the message. */
  readonly received: readonly (Peak & { readonly what: string })[];
  /** Of the worker that reads the largest table that a message can bring. */
  readonly prepared: Peak;
}

const region = mailRegions[0];
const names = namesOf({ prefix: 'parley', account: localAccount, homeRegion: region });

/** @param outdir where the bundle is */
export async function measureReceiving(
  stage: Stage,
  outdir: string,
  progress: (text: string) => void,
): Promise<ReceivingFigures> {
  const tenant = await stage.workspace();
  const received: (Peak & { what: string })[] = [];
  for (const [what, make] of Object.entries(largeMails)) {
    progress(what);
    const peaks: Peak[] = [];
    for (let run = 0; run < runs; run++) {
      peaks.push(await receive(stage, tenant, outdir, { make, id: `${received.length}-${run}` }));
      await newest(tenant);
      await stage.rest();
    }
    received.push({ what, ...worst(peaks) });
  }
  progress('a table, which is read');
  const peaks: Peak[] = [];
  for (let run = 0; run < runs; run++) peaks.push(await prepare(stage, tenant, outdir, `table-${run}`));
  return { received, prepared: worst(peaks) };
}

/** Lays a message into the bucket as SES does, and has `receive-mail` take it in. */
async function receive(
  { cloud }: Stage,
  { address }: Tenant,
  outdir: string,
  { make, id }: { make: () => Buffer; id: string },
): Promise<Peak> {
  const from = 'anna@example.test';
  const fields = [
    `From: ${from}`,
    `To: ${address}`,
    `Subject: ${id}`,
    `Message-ID: <${id}@example.test>`,
    '',
  ];
  const bucket = names.rawMailBucket(region);
  const key = `inbound/${id}`;
  await cloud.s3.put(bucket, key, Buffer.concat([Buffer.from(fields.join('\r\n')), make()]));
  const notification = {
    notificationType: 'Received',
    mail: { messageId: id, source: from },
    receipt: {
      recipients: [address],
      action: { bucketName: bucket, objectKey: key, topicArn: names.topicArn('inbound', region) },
    },
  };
  const task = { module: join(outdir, 'receive-mail.mjs'), batches: [[notification]] };
  return await peakOf(task, cloud.environment, receiveMailWorker.memoryMb);
}

/** Receives a table, and has `extract-text` read it. */
async function prepare(stage: Stage, tenant: Tenant, outdir: string, id: string): Promise<Peak> {
  const { cloud } = stage;
  const relay = holdRelay(stage);
  await receive(stage, tenant, outdir, { make: largeTable, id });
  const email = await newest(tenant);
  const emailId = email.id as EmailId;
  const message: ExtractText = {
    kind: 'extract-text',
    v: 1,
    workspaceId: tenant.id,
    emailId,
    attachmentId: email.attachments[0]?.id as AttachmentId,
    receivedEvent: newEvent(tenant.id, 'email.received', cloud.clock.now(), { emailId }),
  };
  const task = { module: join(outdir, 'extract-text.mjs'), batches: [[message]] };
  const peak = await peakOf(task, cloud.environment, extractTextWorker.memoryMb);
  relay.release();
  await stage.rest();
  const [file] = (await newest(tenant)).attachments;
  if (file?.preparation?.status !== 'partial') throw new Error('the table was not read');
  return peak;
}

/** The email received last, which is to be there whole. */
async function newest({ call }: Tenant): Promise<AnyRecord> {
  const [head] = succeeded(await call('GET', '/emails?direction=inbound&limit=1')).data;
  const email = succeeded(await call('GET', `/emails/${head?.id}`));
  if (email.attachments.length === 0) throw new Error('a large message came without its file');
  return email;
}
