/** The pages below `/console/events`. */
import { Page } from '../../kit/page.tsx';

export function Events() {
  return <Page title="Events">{null}</Page>;
}
