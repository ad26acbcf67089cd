/** The html of a message, in a frame without scripts; pictures of other hosts on request. */
import type { FullEmail } from 'parley-client';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../../kit/button.tsx';

/** As `showsRemotePictures` of the service. */
const remotePicture =
  /(?:\b(?:src|background)\s{0,9}=\s{0,9}["']?|url\(\s{0,9}["']?)\s{0,9}(?:https?:)?\/\//i;

const heightMax = 20_000;

export function MailFrame({ email }: { readonly email: Pick<FullEmail, 'id' | 'html'> }) {
  const [withPictures, setWithPictures] = useState(false);
  const frame = useRef<HTMLIFrameElement>(null);
  const [height, setHeight] = useState(160);
  const measure = () => {
    const content = frame.current?.contentDocument?.documentElement;
    if (content) setHeight(Math.min(content.scrollHeight + 1, heightMax));
  };
  useEffect(() => {
    if (frame.current) frame.current.style.height = `${height}px`;
  }, [height]);
  return (
    <div className="mail-frame">
      {!withPictures && remotePicture.test(email.html ?? '') && (
        <p className="mail-frame-note soft">
          Pictures of other hosts are not loaded: they tell the sender that you read.{' '}
          <Button small onClick={() => setWithPictures(true)}>
            Load pictures
          </Button>
        </p>
      )}
      <iframe
        ref={frame}
        title="The message as designed"
        sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin"
        referrerPolicy="no-referrer"
        src={`/console/mail/${email.id}${withPictures ? '?pictures=1' : ''}`}
        onLoad={measure}
      />
    </div>
  );
}
