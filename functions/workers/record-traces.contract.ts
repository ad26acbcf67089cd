/** Contract of the function `record-traces`, which subscription filters of the logs invoke where `traceSampling` is set. */
import type { WorkerContract } from '../../lib/core/work/worker.ts';

export const traceRecorder: Omit<WorkerContract, 'trigger'> = {
  id: 'record-traces',
  summary: 'Writes traces of emails to AWS X-Ray, from the log lines of the other functions.',
  access: ['traces:write'],
  timeoutSeconds: 60,
  memoryMb: 256,
};
