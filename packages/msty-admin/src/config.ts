import { type Config, defineConfig } from '@atoll-mcp/server';
import { z } from 'zod';
import { DEFAULT_TOOLSETS, TOOLSETS } from './schemas.ts';

const port = (description: string, env: readonly string[], defaultText: string) =>
  z.int().min(1).max(65_535).optional().meta({ description, env, defaultText });

/** Windows programs may carry a HOME of their own making, so there its own variable comes first. */
const homeVariables = process.platform === 'win32' ? ['USERPROFILE', 'HOME'] : ['HOME', 'USERPROFILE'];

export const configDefinition = defineConfig({
  program: 'msty-admin',
  prefix: 'MSTY_ADMIN',
  defaultPort: 7412,
  shape: {
    toolsets: z
      .array(z.string())
      // One flag may carry several, as the variable does.
      .transform((given) => given.flatMap((part) => part.split(',').map((name) => name.trim())))
      .pipe(z.array(z.enum(TOOLSETS, { error: `must be some of ${TOOLSETS.join(', ')}` })).min(1))
      .default([...DEFAULT_TOOLSETS])
      .meta({ description: 'Groups of tools to offer, separated by commas', defaultText: 'all but lifecycle' }),
    aiPort: port("Port of Msty's Local AI service", ['MSTY_AI_PORT'], "Msty's settings, then 11964"),
    mlxPort: port("Port of Msty's MLX service", ['MSTY_MLX_PORT'], "Msty's settings, then 11973"),
    llamacppPort: port("Port of Msty's LLaMA.cpp service", ['MSTY_LLAMACPP_PORT'], "Msty's settings, then 11454"),
    vibePort: port('Port of the Vibe CLI proxy', ['MSTY_VIBE_PORT'], "Msty's settings, then 8317"),
    ollamaPort: port('Port of Ollama', ['MSTY_OLLAMA_PORT'], '11434'),
    lmStudioPort: port('Port of LM Studio', ['MSTY_LM_STUDIO_PORT'], '1234'),
    nexusPort: port('Port of Msty Nexus', ['MSTY_NEXUS_PORT'], '11434'),
    timeout: z
      .number()
      .positive()
      .max(3600)
      .optional()
      .meta({
        description: 'Timeout of a request to a service in seconds, chats included',
        env: ['MSTY_TIMEOUT'],
        defaultText: '10, and 120 for chats',
      }),
    databasePath: z
      .string()
      .min(1)
      .optional()
      .meta({
        description: "Msty's database, instead of the one that is found; ~ and $HOME are understood",
        env: ['MSTY_DATABASE_PATH'],
      }),
    home: z.string().min(1).optional().meta({
      description: 'Home folder to look for Msty in',
      env: homeVariables,
      defaultText: "the user's own",
    }),
    appData: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "Windows' folder for roaming data", env: ['APPDATA'], flag: false }),
    localAppData: z
      .string()
      .min(1)
      .optional()
      .meta({ description: "Windows' folder for local data", env: ['LOCALAPPDATA'], flag: false }),
  },
});

export type MstyConfig = Config<typeof configDefinition>;
