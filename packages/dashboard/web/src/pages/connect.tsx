import { endpoint } from '../lib/mcp.ts';
import { CopyBlock } from '../parts/copy-button.tsx';

const name = 'atoll';
const direct = { url: endpoint };
const bridged = { command: 'npx', args: ['-y', 'mcp-remote', endpoint] };
const pretty = (value: unknown) => JSON.stringify(value, null, 2);

const CLIENTS = [
  {
    title: 'Claude Code',
    how: 'Run this once in a terminal.',
    text: `claude mcp add --transport http ${name} ${endpoint}`,
  },
  {
    title: 'Claude Desktop',
    how: 'Settings → Developer → Edit config, then restart.',
    text: pretty({ mcpServers: { [name]: bridged } }),
  },
  {
    title: 'Cursor',
    how: 'One click, or put this into ~/.cursor/mcp.json.',
    text: pretty({ mcpServers: { [name]: direct } }),
    link: `cursor://anysphere.cursor-deeplink/mcp/install?name=${name}&config=${btoa(JSON.stringify(direct))}`,
  },
  {
    title: 'VS Code',
    how: 'One click, or put this into .vscode/mcp.json.',
    text: pretty({ servers: { [name]: { type: 'http', ...direct } } }),
    link: `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, type: 'http', ...direct }))}`,
  },
  {
    title: 'Windsurf',
    how: 'Put this into ~/.codeium/windsurf/mcp_config.json.',
    text: pretty({ mcpServers: { [name]: { serverUrl: endpoint } } }),
  },
  { title: 'Any other client', how: 'Streamable HTTP at this address; both protocol eras are spoken.', text: endpoint },
];

/** How each client reaches this endpoint. */
export function Connect() {
  return (
    <>
      <p class="lead">
        Everything on this page is one MCP endpoint: <code>{endpoint}</code>. If it asks for a token, send it as{' '}
        <code>Authorization: Bearer …</code>.
      </p>
      <div class="cards">
        {CLIENTS.map(({ title, how, text, link }) => (
          <section class="card" key={title}>
            <h2>{title}</h2>
            <p class="hint">{how}</p>
            <CopyBlock text={text} />
            {link && (
              <a class="button" href={link}>
                Add to {title}
              </a>
            )}
          </section>
        ))}
      </div>
    </>
  );
}
