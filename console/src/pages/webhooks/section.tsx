/** The pages below `/console/webhooks`. */
import { Page } from '../../kit/page.tsx';

export function Webhooks() {
  return <Page title="Webhooks">{null}</Page>;
}
