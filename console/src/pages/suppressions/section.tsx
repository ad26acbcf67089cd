/** The pages below `/console/suppressions`. */
import { Page } from '../../kit/page.tsx';

export function Suppressions() {
  return <Page title="Suppressions">{null}</Page>;
}
