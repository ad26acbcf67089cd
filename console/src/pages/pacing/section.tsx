/** The pages below `/console/pacing`. */
import { Page } from '../../kit/page.tsx';

export function Pacing() {
  return <Page title="Pacing">{null}</Page>;
}
