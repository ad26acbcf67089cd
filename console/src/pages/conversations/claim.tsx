/** Who works on a conversation until when; claims it, releases it, and ends the claim of somebody else. */
import type { Thread } from 'parley-client';
import { useState } from 'react';
import { parley } from '../../api/parley.ts';
import { useAction } from '../../api/queries.ts';
import { useMay, useSession } from '../../api/session.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { ConfirmDialog } from '../../kit/dialog.tsx';
import { ProblemNotice } from '../../kit/problem-notice.tsx';
import { SafeText } from '../../kit/safe-text.tsx';
import { Time } from '../../kit/time.tsx';
import { visibleText } from '../../kit/visible-text.ts';

const claimSeconds = 900;
const changed = [['threads']];

export function Claim({ thread: { id, claim } }: { readonly thread: Thread }) {
  const mayWrite = useMay('sending');
  const { email: own } = useSession();
  const take = useAction(() => parley.threads.claim(id, { owner: own, ttl_seconds: claimSeconds }), {
    changed,
    done: 'You work on this conversation for the next 15 minutes.',
  });
  const release = useAction(() => parley.threads.release(id, { owner: own }), { changed, done: 'Released.' });
  const isMine = claim?.owner === own;
  return (
    <>
      {claim && (
        <Badge tone="accent">
          <span>
            {isMine ? 'You work on it' : <SafeText text={`${claim.owner} works on it`} />}, ends{' '}
            <Time at={claim.expires_at} />
          </span>
        </Badge>
      )}
      {mayWrite && isMine && (
        <Button small kind="quiet" onClick={() => release.mutate(undefined)} isBusy={release.isPending}>
          Release
        </Button>
      )}
      {mayWrite && !claim && (
        <Button small kind="quiet" onClick={() => take.mutate(undefined)} isBusy={take.isPending}>
          Claim
        </Button>
      )}
      {mayWrite && claim && !isMine && <EndClaim id={id} owner={claim.owner} />}
      <ProblemNotice error={take.error ?? release.error} />
    </>
  );
}

/** A person may take a conversation away from a program that hangs. */
function EndClaim({ id, owner }: { readonly id: string; readonly owner: string }) {
  const [isAsking, setAsking] = useState(false);
  const end = useAction(() => parley.threads.release(id), { changed, done: 'The claim is ended.' });
  return (
    <>
      <Button small kind="quiet" onClick={() => setAsking(true)}>
        End the claim
      </Button>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="End the claim?"
        loses={
          <p>
            {visibleText(owner)} may be writing an answer: a reply with this claim is refused then, and
            anybody can claim the conversation.
          </p>
        }
        action="End the claim"
        isBusy={end.isPending}
        error={end.error}
        onConfirm={() => end.mutate(undefined, { onSuccess: () => setAsking(false) })}
      />
    </>
  );
}
