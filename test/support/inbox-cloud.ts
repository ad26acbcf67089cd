/** A local run with its inbox as a process, for tests in the browser: prints its addresses as a line of JSON. */
import { prepareDemo } from '../../bin/local/demo.ts';
import { inboxPages } from '../../bin/local/inbox.ts';
import { startCloud } from '../../lib/local/cloud.ts';

const cloud = await startCloud({ publishesTestDomains: true });
const demo = await prepareDemo(cloud, null);
cloud.openInbox(inboxPages(cloud, demo, 'Parley'));
const { baseUrl, controlUrl, smtpPort } = cloud;
const { apiKey, providedDomain } = demo;
console.log(JSON.stringify({ baseUrl, controlUrl, smtpPort, apiKey, providedDomain }));
