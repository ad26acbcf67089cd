/** The script of the site. Pages read well without it. */

import { currentSection } from './contents.ts';
import { copyButtons } from './copy.ts';
import { menu } from './menu.ts';
import { showOrigin } from './origin.ts';
import { scrollingStops } from './scrolling.ts';
import { search } from './search.ts';
import { languageTabs } from './tabs.ts';

showOrigin();
languageTabs();
copyButtons();
scrollingStops();
menu();
search();
currentSection();
