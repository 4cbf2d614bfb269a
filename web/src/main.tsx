/** Starts the board in the browser. */
import { render } from 'preact';
import './styles/main.css';
import { App } from './app.tsx';
import { startClock } from './state/clock.ts';
import { followTheme } from './state/preferences.ts';
import { restoreSession } from './state/session.ts';

followTheme();
startClock();
void restoreSession();
const root = document.getElementById('app');
if (root !== null) render(<App />, root);
