/** The pages below `/console/mailboxes`. */
import { Page } from '../../kit/page.tsx';

export function Mailboxes() {
  return <Page title="Mailboxes">{null}</Page>;
}
