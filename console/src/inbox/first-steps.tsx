/** The inbox before the first mail: how to send one, in the commands that the run printed. */
import { ButtonLink } from '../kit/button.tsx';
import { Command } from '../kit/copy.tsx';
import { Page } from '../kit/page.tsx';
import { useRunFacts } from './queries.ts';

export function FirstSteps() {
  const { data } = useRunFacts();
  return (
    <Page
      title="No mail yet"
      lead="Send an email to anybody: the person appears here within a second, and you answer as that person."
    >
      <div className="first-steps">
        <p>
          <ButtonLink to="/write" kind="primary">
            Write as a person
          </ButtonLink>{' '}
          or run these commands in a second terminal, in the folder of the repository:
        </p>
        <ol>
          {data?.steps?.map(({ title, commands }) => (
            <li key={title}>
              <p>{title}</p>
              <Command text={commands} />
            </li>
          ))}
        </ol>
      </div>
    </Page>
  );
}
