/** What a person pastes where, once the endpoint is up. */
export function connectionHelp(url) {
  const page = url.replace(/\/mcp$/, '/');
  const remote = JSON.stringify({ mcpServers: { atoll: { command: 'npx', args: ['-y', 'mcp-remote', url] } } });
  const direct = JSON.stringify({ mcpServers: { atoll: { url } } });
  return `
Atoll is running.  Ctrl-C stops it.

  Open   ${page}
  MCP    ${url}

Claude Code      claude mcp add --transport http atoll ${url}
Claude Desktop   ${remote}
Cursor           ${direct}
VS Code          code --add-mcp '${JSON.stringify({ name: 'atoll', type: 'http', url })}'

Files or questions in other languages than English: node packages/memorylake/dist/cli.js reindex --multilingual

`;
}
