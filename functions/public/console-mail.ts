/** `GET /console/mail/{email_id}`: the html of a message, for a frame of the console. */

import { parseId } from '../../lib/core/ids.ts';
import { Problem } from '../../lib/core/problems.ts';
import { mailFrame } from '../../lib/http/pages/mail-frame.ts';
import { servePublic } from '../../lib/http/serve-public.ts';
import { requireSession } from '../../lib/http/session-caller.ts';
import { getEmail } from '../../lib/services/reading/emails.ts';

export const handler = servePublic('console-mail', async (request) => {
  const { params, query } = request;
  const session = await requireSession(request);
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
