/** Mail: the people, the mail of one of them, and the service's view of the same thread. */
import { useEffect, useState } from 'react';
import { useParams } from 'react-router';
import { classes } from '../kit/classes.ts';
import { markedLine } from '../kit/hidden-characters.ts';
import { Conversation, type ShownMail } from './conversation.tsx';
import { FirstSteps } from './first-steps.tsx';
import { PeopleList } from './people-list.tsx';
import { usePeople } from './queries.ts';
import { ServiceView } from './service-view.tsx';

const narrow = '(max-width: 760px)';

export function MailPage() {
  const { address, id } = useParams();
  const [text, setText] = useState('');
  const people = usePeople(text);
  const first = useFirst(people.items[0]?.address ?? null);
  const person = address ?? first;
  const [shown, setShown] = useState<ShownMail | null>(null);
  if (!people.isLoading && people.total === 0 && text === '' && !people.error) return <FirstSteps />;
  return (
    <div className={classes('mail', address ? 'at-person' : 'at-people')}>
      <h1 className="hidden">Mail</h1>
      <title>{person ? `${markedLine(person)} · Mail` : 'Mail'}</title>
      <PeopleList people={people} text={text} onText={setText} current={person} />
      {person === null ? (
        <div className="pane conversation" />
      ) : (
        <Conversation key={person} person={person} openId={id ?? null} onShown={setShown} />
      )}
      {shown !== null && shown.person === person ? (
        <ServiceView key={`${person} ${shown.id}`} {...shown} />
      ) : (
        <aside className="pane service" aria-label="What the service has" />
      )}
    </div>
  );
}

/** The person that the start page shows: the one who was first when it opened, so that new mail does not change it. */
function useFirst(newest: string | null): string | null {
  const [first, setFirst] = useState<string | null>(null);
  useEffect(() => {
    if (newest !== null && !matchMedia(narrow).matches) setFirst((current) => current ?? newest);
  }, [newest]);
  return first;
}
