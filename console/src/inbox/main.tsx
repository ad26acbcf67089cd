/** The entry of the local inbox, at `/` of `npm start`. */
import '../styles.ts';
import { mount } from '../providers.tsx';
import { Inbox } from './inbox.tsx';

mount('/', <Inbox />);
