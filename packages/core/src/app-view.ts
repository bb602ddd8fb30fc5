import type { Resource } from './contract.ts';

export interface AppViewOptions {
  /** `ui://<server>/<view>`; the tool that it shows names it in `meta.ui.resourceUri`. */
  readonly uri: string;
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly style: string;
  /** The body of `function show(result, root, input)`: fills `root` from a tool's result and its arguments, by text nodes and elements only. */
  readonly show: string;
}

const MIME_TYPE = 'text/html;profile=mcp-app';

/** A view of a tool's answer for clients that show such views inside a conversation (the protocol's UI extension). */
export function appView<Service>(options: AppViewOptions): Resource<Service> {
  const { uri, name, title, description } = options;
  const html = page(options);
  return {
    uriTemplate: uri,
    name,
    title,
    description,
    mimeType: MIME_TYPE,
    // It declares that it needs no network access.
    read: async () => [{ uri, mimeType: MIME_TYPE, text: html, _meta: { ui: { csp: {}, prefersBorder: true } } }],
  };
}

function page({ name, title, style, show }: AppViewOptions): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${title}</title>
<style>
:root { color-scheme: light dark; font: 14px/1.5 system-ui, sans-serif; }
body { margin: 0; padding: 12px; }
.hint { opacity: 0.75; }
.chart { max-width: 100%; height: auto; background: #fff; border-radius: 6px; }
[data-theme="dark"] .chart { filter: invert(1) hue-rotate(180deg); mix-blend-mode: lighten; }
${style}
</style>
<div id="root"><p class="hint">Waiting for the answer …</p></div>
<script>
'use strict';
const root = document.getElementById('root');
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
const add = (to, tag, text, attributes) => {
  const element = document.createElement(tag);
  if (text !== undefined) element.textContent = text;
  for (const [key, value] of Object.entries(attributes || {})) element.setAttribute(key, value);
  to.append(element);
  return element;
};
const sentence = ({ content = [], structuredContent: { message, error } = {} }) => {
  const said = message || (error && error.message) || error;
  if (typeof said === 'string') return said;
  return content.filter(({ type }) => type === 'text').map(({ text }) => text).join('\\n');
};
function show(result, root, input) {
${show}
}
let input = {};
// Charts are drawn on white; in the dark their lightness is turned round.
const follow = ({ theme } = {}) => {
  if (!theme) return;
  document.documentElement.style.colorScheme = theme;
  document.documentElement.dataset.theme = theme;
};
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return;
  if (data.id === 1 && data.result) {
    follow(data.result.hostContext);
    post({ method: 'ui/notifications/initialized' });
  }
  if (data.method === 'ui/notifications/host-context-changed') follow(data.params);
  if (data.method === 'ui/notifications/tool-input') input = data.params.arguments || {};
  if (data.method === 'ui/notifications/tool-result') {
    root.replaceChildren();
    if (data.params.isError) add(root, 'p', sentence(data.params));
    else show(data.params, root, input);
  }
  if (data.method === 'ui/notifications/tool-cancelled') {
    root.replaceChildren();
    add(root, 'p', 'The call was cancelled.', { class: 'hint' });
  }
  if (data.method === 'ui/resource-teardown') post({ id: data.id, result: {} });
});
new ResizeObserver(() => {
  const { width, height } = document.documentElement.getBoundingClientRect();
  post({ method: 'ui/notifications/size-changed', params: { width: Math.ceil(width), height: Math.ceil(height) } });
}).observe(document.documentElement);
post({ id: 1, method: 'ui/initialize', params: { protocolVersion: '2026-01-26', appInfo: { name: '${name}', version: '1' }, appCapabilities: {} } });
</script>
</html>
`;
}
