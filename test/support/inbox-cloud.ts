/** A local run with its inbox as a process, for tests in the browser: prints its addresses as a line of JSON. */
import { setEnvironmentData } from 'node:worker_threads';
import { prepareDemo } from '../../bin/local/demo.ts';
import { inboxPages } from '../../bin/local/inbox.ts';
import { clockSkewKey } from '../../lib/adapters/clock.ts';
import { newSkew } from '../../lib/local/clock.ts';
import { startCloud } from '../../lib/local/cloud.ts';

const clockSkew = newSkew();
setEnvironmentData(clockSkewKey, clockSkew);
const cloud = await startCloud({ publishesTestDomains: true, clockSkew });
const demo = await prepareDemo(cloud, null);
cloud.openInbox(inboxPages(cloud, demo, 'Parley'));
const { baseUrl, controlUrl, smtpPort } = cloud;
const { apiKey, providedDomain } = demo;
console.log(JSON.stringify({ baseUrl, controlUrl, smtpPort, apiKey, providedDomain }));
