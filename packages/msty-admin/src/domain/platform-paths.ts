import { join } from 'node:path';

/** What the places of a system depend on. */
export interface Surroundings {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Windows' folders for data of programs; worked out from the home folder when they are not given. */
  readonly appData?: string | undefined;
  readonly localAppData?: string | undefined;
  /** Whether places outside the home folder count. They don't when another home was given than the user's own. */
  readonly seesSystemFolders: boolean;
}

interface PlatformPaths {
  /** Places of the program, the newest name first. */
  readonly apps: readonly string[];
  /** Folders in which a portable program may lie under a name with a version in it. */
  readonly appFolders: readonly string[];
  /** Studio's data folders, the present name first, then older ones. */
  readonly data: readonly string[];
  /** Further folders of Msty that may hold something. */
  readonly further: readonly string[];
  readonly models: readonly string[];
  readonly nexus: { readonly apps: readonly string[]; readonly data: readonly string[] };
  readonly claudeConfig: string;
}

const DATA_NAMES = ['MstyStudio', 'Msty Studio', 'Msty'];
const COMPANIONS = ['MstySidecar', 'MstyNexus'];

export function platformPaths(place: Surroundings): PlatformPaths {
  const { home } = place;
  const shared = [join(home, '.ollama', 'models'), join(home, '.lmstudio', 'models')];
  const models = [...shared, join(home, '.cache', 'lm-studio', 'models'), join(home, 'models')];
  const dotFolders = [join(home, '.msty'), join(home, '.config', 'msty'), join(home, '.local', 'share', 'msty')];
  if (place.platform === 'darwin') {
    const support = join(home, 'Library', 'Application Support');
    const appFolders = [...(place.seesSystemFolders ? ['/Applications'] : []), join(home, 'Applications')];
    return {
      apps: appFolders.flatMap((folder) => DATA_NAMES.map((name) => join(folder, `${name}.app`))),
      appFolders: [],
      data: DATA_NAMES.map((name) => join(support, name)),
      further: [
        ...COMPANIONS.map((name) => join(support, name)),
        join(home, 'Library', 'Containers', 'ai.msty.MstyStudio'),
        join(home, 'Library', 'Caches', 'MstyStudio'),
        ...dotFolders,
      ],
      models,
      nexus: {
        apps: appFolders.map((folder) => join(folder, 'MstyNexus.app')),
        data: [join(support, 'MstyNexus')],
      },
      claudeConfig: join(support, 'Claude', 'claude_desktop_config.json'),
    };
  }
  if (place.platform === 'win32') {
    const roaming = place.appData ?? join(home, 'AppData', 'Roaming');
    const local = place.localAppData ?? join(home, 'AppData', 'Local');
    const programs = [join(local, 'Programs'), ...(place.seesSystemFolders ? [join('C:\\', 'Program Files')] : [])];
    return {
      apps: programs.flatMap((folder) => DATA_NAMES.map((name) => join(folder, name, `${name}.exe`))),
      appFolders: [],
      data: [roaming, local].flatMap((folder) => DATA_NAMES.map((name) => join(folder, name))),
      further: [...COMPANIONS.map((name) => join(roaming, name)), join(home, '.msty')],
      models,
      nexus: {
        apps: programs.map((folder) => join(folder, 'MstyNexus', 'MstyNexus.exe')),
        data: [roaming, local].map((folder) => join(folder, 'MstyNexus')),
      },
      claudeConfig: join(roaming, 'Claude', 'claude_desktop_config.json'),
    };
  }
  const config = join(home, '.config');
  return {
    apps: place.seesSystemFolders ? DATA_NAMES.map((name) => join('/opt', name)) : [],
    appFolders: ['Applications', 'AppImages', '.local/bin', 'bin', 'Downloads'].map((name) => join(home, name)),
    data: DATA_NAMES.map((name) => join(config, name)),
    further: [...COMPANIONS.map((name) => join(config, name)), ...dotFolders],
    models,
    nexus: {
      apps: place.seesSystemFolders ? [join('/opt', 'MstyNexus')] : [],
      data: [join(config, 'MstyNexus')],
    },
    claudeConfig: join(config, 'Claude', 'claude_desktop_config.json'),
  };
}
