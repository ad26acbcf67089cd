/** One message: as html, text, source and headers, with its files, and what the person can do with it. */

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { Button } from '../kit/button.tsx';
import { markedLine } from '../kit/hidden-characters.ts';
import { MarkedText } from '../kit/marked-text.tsx';
import { ProblemNotice } from '../kit/problem-notice.tsx';
import { Loading } from '../kit/progress.tsx';
import { Tabs } from '../kit/tabs.tsx';
import { Actions, Told } from './actions.tsx';
import { type Mail, type MailAddress, mailRoute } from './control.ts';
import { Plain } from './plain.tsx';
import { useMail } from './queries.ts';

export function MessageView({ person, id }: { readonly person: string; readonly id: string }) {
  const { data: mail, error } = useMail(person, id);
  if (error) return <ProblemNotice error={error} />;
  if (!mail) return <Loading rows={4} />;
  return (
    <article className="message">
      <dl className="message-facts">
        <Fact name="From" value={<Addresses list={mail.from ? [mail.from] : []} />} />
        <Fact name="To" value={<Addresses list={mail.to} />} />
        {mail.cc.length > 0 && <Fact name="Cc" value={<Addresses list={mail.cc} />} />}
      </dl>
      <Actions mail={mail} />
      <Tabs label="Forms of the message" tabs={tabsOf(mail)} />
      <Files mail={mail} />
      <Told mail={mail} />
    </article>
  );
}

function Fact({ name, value }: { readonly name: string; readonly value: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

const shownMax = 5;

function Addresses({ list }: { readonly list: readonly MailAddress[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? list : list.slice(0, shownMax);
  return (
    <>
      {shown.map(({ name, address }, at) => (
        <span key={at} className="address">
          {name && <bdi>{markedLine(name)} </bdi>}
          <bdi>{markedLine(name ? `<${address}>` : address)}</bdi>
        </span>
      ))}
      {shown.length < list.length && (
        <Button kind="quiet" small onClick={() => setIsWhole(true)}>
          {list.length - shown.length} more
        </Button>
      )}
    </>
  );
}

function tabsOf(mail: Mail) {
  const html = { id: 'html', label: 'Html', content: <Html mail={mail} /> };
  return [
    ...(mail.has_html ? [html] : []),
    { id: 'text', label: 'Text', content: <Text mail={mail} /> },
    { id: 'headers', label: 'Headers', content: <Headers mail={mail} /> },
    { id: 'source', label: 'Source', content: <Source mail={mail} /> },
  ];
}

/** A longer message scrolls in its frame. */
const frameHeightMax = 3_000;

/** The frame runs nothing, and the policy of its page loads nothing; its origin lets this page read its height. */
function Html({ mail }: { readonly mail: Mail }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const fit = () => {
    const height = frame.current?.contentDocument?.documentElement.scrollHeight ?? 0;
    if (frame.current && height > 0) frame.current.style.height = `${Math.min(height + 2, frameHeightMax)}px`;
  };
  const [pictures, setPictures] = useState(false);
  return (
    <>
      {mail.has_remote_pictures && !pictures && (
        <p className="pictures">
          Pictures of other hosts are not loaded.{' '}
          <Button small onClick={() => setPictures(true)}>
            Load them
          </Button>
        </p>
      )}
      <iframe
        ref={frame}
        onLoad={fit}
        className="mail-frame"
        title={`Message: ${mail.subject}`}
        sandbox="allow-popups allow-popups-to-escape-sandbox allow-same-origin"
        referrerPolicy="no-referrer"
        src={`/_control${mailRoute(mail.person, mail.id)}/html${pictures ? '?pictures=remote' : ''}`}
      />
    </>
  );
}

function Text({ mail }: { readonly mail: Mail }) {
  return (
    <>
      <Plain label="Text of the message" text={mail.text} />
      {mail.is_text_cut && <p className="soft">The beginning; the source has all of it.</p>}
    </>
  );
}

function Headers({ mail }: { readonly mail: Mail }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
    <section className="headers" tabIndex={0} aria-label="Header fields">
      <table>
        <tbody>
          {mail.headers.map(({ name, value }, at) => (
            <tr key={at}>
              <th scope="row">{name}</th>
              <td>
                <bdi>
                  <MarkedText text={value} />
                </bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const sourceShownMax = 200_000;

function Source({ mail }: { readonly mail: Mail }) {
  const url = `/_control${mailRoute(mail.person, mail.id)}/source`;
  const { data, error } = useQuery({
    queryKey: ['source', mail.person, mail.id],
    queryFn: async () => (await fetch(url)).text(),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error) return <ProblemNotice error={error} />;
  if (data === undefined) return <Loading rows={4} />;
  return (
    <>
      <Plain label="Source of the message" text={data.slice(0, sourceShownMax)} />
      <p>
        <a href={url} download={`message-${mail.id}.eml`}>
          Download
        </a>{' '}
        <span className="soft">{sizeText(mail.bytes)}</span>
        {data.length > sourceShownMax && <span className="soft"> (the beginning is shown)</span>}
      </p>
    </>
  );
}

function Files({ mail }: { readonly mail: Mail }) {
  if (mail.files.length === 0) return null;
  return (
    <ul className="files" aria-label="Files">
      {mail.files.map(({ index, filename, type, bytes }) => (
        <li key={index}>
          <a
            href={`/_control${mailRoute(mail.person, mail.id)}/files/${index}`}
            download={filename ?? 'file'}
          >
            <bdi>{markedLine(filename ?? '(no name)')}</bdi>
          </a>{' '}
          <span className="soft">
            {type}, {sizeText(bytes)}
          </span>
        </li>
      ))}
    </ul>
  );
}

export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
