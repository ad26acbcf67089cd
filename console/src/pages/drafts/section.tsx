/** The pages below `/console/drafts`. */
import { Page } from '../../kit/page.tsx';

export function Drafts() {
  return <Page title="Drafts">{null}</Page>;
}
