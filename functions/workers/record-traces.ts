/** Writes traces of emails to AWS X-Ray, from the log lines of the other functions. */
import type { CloudWatchLogsEvent } from 'aws-lambda';
import { flatEnvironment } from '../../lib/env.ts';
import { recordSegments } from '../../lib/services/trace/record-segments.ts';

export async function handler({ awslogs }: CloudWatchLogsEvent): Promise<void> {
  await recordSegments(awslogs.data, Number(flatEnvironment(process.env).TRACE_SAMPLING));
}
