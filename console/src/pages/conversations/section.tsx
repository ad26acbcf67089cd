/** The pages below `/console/conversations`. */
import { Page } from '../../kit/page.tsx';

export function Conversations() {
  return <Page title="Conversations">{null}</Page>;
}
