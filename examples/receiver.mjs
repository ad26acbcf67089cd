/** A webhook receiver: prints the events that Parley has signed. */
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';

const webhook = new Webhook(process.env.WEBHOOK_SECRET);
createServer(async (request, response) => {
  const event = await text(request)
    .then((body) => webhook.verify(body, request.headers))
    .catch(() => null);
  response.writeHead(event ? 204 : 401).end();
  if (event) console.log(event.type, event.data.snippet);
}).listen(4000, () => console.log('listening'));
