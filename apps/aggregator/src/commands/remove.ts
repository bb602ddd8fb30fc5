import type { FileCommand } from './add.ts';
import { print, printError } from './cli-io.ts';
import { editConfig } from './edit-config.ts';

export const remove: FileCommand = (file) => ({
  usage: 'remove NAME',
  summary: 'Remove an MCP server from the configuration',
  flags: ['config'],
  async run({ words: [name], config }) {
    if (name === undefined || !Object.hasOwn(config.mcpServers, name)) {
      const known = Object.keys(config.mcpServers).join(', ') || 'none';
      printError(
        name === undefined ? 'usage: "atoll remove NAME"' : `unknown server "${name}"; known servers: ${known}`,
      );
      return name === undefined ? 2 : 1;
    }
    editConfig(file, [{ path: ['mcpServers', name], value: undefined }]);
    print(`Removed "${name}" from ${file}`);
    return 0;
  },
});
