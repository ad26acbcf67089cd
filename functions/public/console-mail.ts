/** `GET /console/mail/{email_id}`: the html of a message, for a frame of the console. */

import { tokenInCookies } from '../../lib/core/access/session.ts';
import { parseId } from '../../lib/core/ids.ts';
import { Problem } from '../../lib/core/problems.ts';
import { noSession } from '../../lib/http/console-requests.ts';
import { mailFrame } from '../../lib/http/pages/mail-frame.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { findSession } from '../../lib/services/console/sessions.ts';
import { getEmail } from '../../lib/services/reading/emails.ts';

export const handler = servePublic('console-mail', async ({ baseUrl, cookies, params, query }) => {
  const token = tokenInCookies(baseUrl, cookies);
  const session = token === null ? null : await findSession(token);
  if (!session) throw noSession();
  const id = parseId('eml', params.email_id ?? '');
  if (!id) throw new Problem('not_found', 'The email does not exist.');
  const { email, attachments } = await getEmail(session.workspace.id, id, { withText: false });
  return mailFrame({
    html: email.content.html ?? '',
    files: new Map(
      attachments.flatMap(({ file, downloadUrl }) => (file.cid ? [[file.cid, downloadUrl]] : [])),
    ),
    withRemotePictures: query.get('pictures') === '1',
  });
});
