/** The entry of the console, at `/console`. */
import './styles.ts';
import { App } from './app.tsx';
import { mount } from './providers.tsx';

mount('/console', <App />);
