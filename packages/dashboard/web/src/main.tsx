import { render } from 'preact';
import { App } from './app.tsx';
import './style.css';
import './styles/activity.css';
import './styles/servers.css';

render(<App />, document.getElementById('app')!);
