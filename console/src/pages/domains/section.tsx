/** The pages below `/console/domains`. */
import { Page } from '../../kit/page.tsx';

export function Domains() {
  return <Page title="Domains">{null}</Page>;
}
