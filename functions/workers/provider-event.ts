/** Records what SES reports. */
import { readReport } from '../../lib/domain/mail/provider-report.ts';
import { consume } from '../../lib/services/consume.ts';
import { recordReport } from '../../lib/services/provider-reports.ts';

export const handler = consume(async (body) => {
  const report = readReport(body);
  if (report) await recordReport(report);
});
