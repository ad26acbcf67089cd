/** Why an email was canceled, and by which message. */
import type { Cancellation } from 'parley-client';
import { actorText } from '../../api/drafts.ts';
import { Link } from '../../kit/link.tsx';
import { Time } from '../../kit/time.tsx';

/** In a conversation: the message that answered first is a part of it. */
export function CancellationText({ cancellation }: { readonly cancellation: Cancellation }) {
  const { at, by_email_id: answer } = cancellation;
  return (
    <>
      {reasonText(cancellation)}
      {answer && (
        <>
          {' '}
          (<Link to={`#${answer}`}>see the answer</Link>)
        </>
      )}
      , <Time at={at} />.
    </>
  );
}

function reasonText({ reason, by }: Cancellation): string {
  switch (reason) {
    case 'reply':
      return 'Not sent: a person answered first';
    case 'expired':
      return 'Not sent: the draft expired, since nobody approved it within 30 days';
    case 'discarded':
      return `Not sent: the draft was discarded${by ? ` by ${actorText(by)}` : ''}`;
    default:
      return `Not sent: it was canceled${by ? ` by ${actorText(by)}` : ''}`;
  }
}
