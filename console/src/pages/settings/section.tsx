/** The pages below `/console/settings`. */
import { Page } from '../../kit/page.tsx';

export function Settings() {
  return <Page title="Settings">{null}</Page>;
}
