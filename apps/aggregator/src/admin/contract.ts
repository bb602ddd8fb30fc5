import { type Contract, plain, ToolError } from '@atoll-mcp/core';
import manifest from '../../package.json' with { type: 'json' };
import type { AdminService } from './admin-service.ts';
import { adminActivity } from './tools/atoll-admin-activity.ts';
import { adminAddServer } from './tools/atoll-admin-add-server.ts';
import { adminApproveDefinitions } from './tools/atoll-admin-approve-definitions.ts';
import { adminCall } from './tools/atoll-admin-call.ts';
import { adminClients } from './tools/atoll-admin-clients.ts';
import { adminConnectClient } from './tools/atoll-admin-connect-client.ts';
import { adminCreateToken } from './tools/atoll-admin-create-token.ts';
import { adminDefinitions } from './tools/atoll-admin-definitions.ts';
import { adminDoctor } from './tools/atoll-admin-doctor.ts';
import { adminEditServer } from './tools/atoll-admin-edit-server.ts';
import { adminHoldBack } from './tools/atoll-admin-hold-back.ts';
import { adminImportServers } from './tools/atoll-admin-import-servers.ts';
import { adminImportable } from './tools/atoll-admin-importable.ts';
import { adminInstall } from './tools/atoll-admin-install.ts';
import { adminRemoveServer } from './tools/atoll-admin-remove-server.ts';
import { adminRestartServer } from './tools/atoll-admin-restart-server.ts';
import { adminSeries } from './tools/atoll-admin-series.ts';
import { adminServerLog } from './tools/atoll-admin-server-log.ts';
import { adminServers } from './tools/atoll-admin-servers.ts';
import { adminSettings } from './tools/atoll-admin-settings.ts';
import { adminSetup } from './tools/atoll-admin-setup.ts';
import { adminSwitchServer } from './tools/atoll-admin-switch-server.ts';
import { adminSwitchTool } from './tools/atoll-admin-switch-tool.ts';
import { adminUseModel } from './tools/atoll-admin-use-model.ts';

/** All tools of administration begin with this; no list shows them. */
export const ADMIN_PREFIX = 'atoll_admin_';

/** Administration, for people. Models never see these tools, in lists, in searches or in programs. */
export const adminContract: Contract<AdminService> = {
  name: 'atoll-admin',
  title: 'Administration of Atoll',
  version: manifest.version,
  description: 'What was called, which servers run, and how',
  instructions: 'For people who administer Atoll.',
  envelope: plain,
  failures: {
    invalidInput: (issues) =>
      new ToolError('INVALID_ARGUMENTS', issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')),
    internal: () => new ToolError('INTERNAL', 'Atoll could not do this; its log says why'),
  },
  tools: [
    adminActivity,
    adminCall,
    adminSeries,
    adminServers,
    adminAddServer,
    adminEditServer,
    adminRemoveServer,
    adminSwitchServer,
    adminSwitchTool,
    adminRestartServer,
    adminServerLog,
    adminDefinitions,
    adminApproveDefinitions,
    adminHoldBack,
    adminClients,
    adminConnectClient,
    adminImportable,
    adminImportServers,
    adminSettings,
    adminDoctor,
    adminCreateToken,
    adminSetup,
    adminInstall,
    adminUseModel,
  ],
};
