import { homedir } from 'node:os';
import { join } from 'node:path';

export interface ClientPlace {
  readonly title: string;
  readonly path: string;
  /** The key of the server list. */
  readonly key: 'mcpServers' | 'servers';
  readonly isTyped: boolean;
}

export const CLIENT_NAMES = ['claude-desktop', 'claude-code', 'cursor', 'vscode', 'windsurf'] as const;
export type ClientName = (typeof CLIENT_NAMES)[number];

/** The configuration file of each client on this platform. */
export function clientPlace(
  name: ClientName,
  env: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): ClientPlace {
  const home = env.HOME ?? env.USERPROFILE ?? homedir();
  const settings =
    platform === 'darwin'
      ? join(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env.APPDATA ?? join(home, 'AppData', 'Roaming'))
        : (env.XDG_CONFIG_HOME ?? join(home, '.config'));
  const usual = { key: 'mcpServers', isTyped: false } as const;
  const places: Record<ClientName, ClientPlace> = {
    'claude-desktop': {
      ...usual,
      title: 'Claude Desktop',
      path: join(settings, 'Claude', 'claude_desktop_config.json'),
    },
    'claude-code': { ...usual, title: 'Claude Code', path: join(home, '.claude.json') },
    cursor: { ...usual, title: 'Cursor', path: join(home, '.cursor', 'mcp.json') },
    windsurf: { ...usual, title: 'Windsurf', path: join(home, '.codeium', 'windsurf', 'mcp_config.json') },
    vscode: { key: 'servers', isTyped: true, title: 'VS Code', path: join(settings, 'Code', 'User', 'mcp.json') },
  };
  return places[name];
}
