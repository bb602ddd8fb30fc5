import { render } from 'preact';
import { App } from './app.tsx';
import './styles/base.css';
import './styles/controls.css';
import './styles/content.css';
import './styles/layout.css';
import './styles/tools.css';
import './styles/lake.css';
import './styles/tensors.css';
import './styles/embeddings.css';
import './styles/msty.css';
import './styles/activity.css';
import './styles/servers.css';
import './styles/start.css';
import './styles/settings.css';
import './styles/palette.css';
import './styles/narrow.css';

render(<App />, document.getElementById('app')!);
