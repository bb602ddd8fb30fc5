import type { Contract, Tool } from '@atoll-mcp/core';
import manifest from '../package.json' with { type: 'json' };
import { mstyEnvelope } from './envelope.ts';
import { crashed, invalidInput } from './errors.ts';
import { TOOLSETS, type Toolset } from './schemas.ts';
import type { MstyService } from './service.ts';
import { analyseConversationPatterns } from './tools/analyse-conversation-patterns.ts';
import { analyseMstyHealth } from './tools/analyse-msty-health.ts';
import { backupConfiguration } from './tools/backup-configuration.ts';
import { benchmarkModel } from './tools/benchmark-model.ts';
import { chatWithLocalModel } from './tools/chat-with-local-model.ts';
import { clearCache } from './tools/clear-cache.ts';
import { compareModelResponses } from './tools/compare-model-responses.ts';
import { createPromptTemplate } from './tools/create-prompt-template.ts';
import { deleteModel } from './tools/delete-model.ts';
import { detectMstyInstallation } from './tools/detect-msty-installation.ts';
import { detectNexus } from './tools/detect-nexus.ts';
import { estimateModelRequirements } from './tools/estimate-model-requirements.ts';
import { evaluateResponseQuality } from './tools/evaluate-response-quality.ts';
import { exportConversations } from './tools/export-conversations.ts';
import { exportToolConfig } from './tools/export-tool-config.ts';
import { findModelByTag } from './tools/find-model-by-tag.ts';
import { generatePersona } from './tools/generate-persona.ts';
import { getCacheStats } from './tools/get-cache-stats.ts';
import { getCalibrationHistory } from './tools/get-calibration-history.ts';
import { getConversationStats } from './tools/get-conversation-stats.ts';
import { getInsightsUsage } from './tools/get-insights-usage.ts';
import { getModelDetails } from './tools/get-model-details.ts';
import { getModelPerformanceMetrics } from './tools/get-model-performance-metrics.ts';
import { getModelProviders } from './tools/get-model-providers.ts';
import { getSchemaMigrations } from './tools/get-schema-migrations.ts';
import { getServerStatus } from './tools/get-server-status.ts';
import { getSidecarStatus } from './tools/get-sidecar-status.ts';
import { getStudioEntity } from './tools/get-studio-entity.ts';
import { getSystemResources } from './tools/get-system-resources.ts';
import { identifyHandoffTriggers } from './tools/identify-handoff-triggers.ts';
import { importToolConfig } from './tools/import-tool-config.ts';
import { listAgentPlans } from './tools/list-agent-plans.ts';
import { listAvailableModels } from './tools/list-available-models.ts';
import { listConfiguredTools } from './tools/list-configured-tools.ts';
import { listContextStudio } from './tools/list-context-studio.ts';
import { listCrews } from './tools/list-crews.ts';
import { listKnowledgeStacks } from './tools/list-knowledge-stacks.ts';
import { listLiveContexts } from './tools/list-live-contexts.ts';
import { listLoadedModels } from './tools/list-loaded-models.ts';
import { listLocalModelFiles } from './tools/list-local-model-files.ts';
import { listModelTags } from './tools/list-model-tags.ts';
import { listNexusModels } from './tools/list-nexus-models.ts';
import { listPersonas } from './tools/list-personas.ts';
import { listPromptTemplates } from './tools/list-prompt-templates.ts';
import { listPrompts } from './tools/list-prompts.ts';
import { listShadowPersonas } from './tools/list-shadow-personas.ts';
import { listSkills } from './tools/list-skills.ts';
import { listStudioCatalogue } from './tools/list-studio-catalogue.ts';
import { listToolsets } from './tools/list-toolsets.ts';
import { listTurnstiles } from './tools/list-turnstiles.ts';
import { listWorkspaces } from './tools/list-workspaces.ts';
import { loadModel } from './tools/load-model.ts';
import { optimiseKnowledgeStacks } from './tools/optimise-knowledge-stacks.ts';
import { planModelLoad } from './tools/plan-model-load.ts';
import { pullModel } from './tools/pull-model.ts';
import { queryLocalAiService } from './tools/query-local-ai-service.ts';
import { queryNexus } from './tools/query-nexus.ts';
import { readMstyDatabase } from './tools/read-msty-database.ts';
import { recommendModel } from './tools/recommend-model.ts';
import { restoreConfiguration } from './tools/restore-configuration.ts';
import { runCalibrationTest } from './tools/run-calibration-test.ts';
import { runPromptTemplate } from './tools/run-prompt-template.ts';
import { scanDatabaseLocations } from './tools/scan-database-locations.ts';
import { searchConversations } from './tools/search-conversations.ts';
import { setModelKeepAlive } from './tools/set-model-keep-alive.ts';
import { smartModelRouter } from './tools/smart-model-router.ts';
import { suggestPersonaImprovements } from './tools/suggest-persona-improvements.ts';
import { syncClaudePreferences } from './tools/sync-claude-preferences.ts';
import { unloadModel } from './tools/unload-model.ts';

/** Every tool, in the groups in which they are offered. */
export const toolsByToolset: Readonly<Record<Toolset, readonly Tool<MstyService>[]>> = {
  install: [
    detectMstyInstallation,
    readMstyDatabase,
    listConfiguredTools,
    getModelProviders,
    analyseMstyHealth,
    getServerStatus,
    scanDatabaseLocations,
  ],
  config: [exportToolConfig, importToolConfig, generatePersona, syncClaudePreferences],
  services: [
    getSidecarStatus,
    listAvailableModels,
    queryLocalAiService,
    chatWithLocalModel,
    recommendModel,
    listModelTags,
    findModelByTag,
    getCacheStats,
    clearCache,
  ],
  intelligence: [
    getModelPerformanceMetrics,
    analyseConversationPatterns,
    compareModelResponses,
    optimiseKnowledgeStacks,
    suggestPersonaImprovements,
  ],
  calibration: [runCalibrationTest, evaluateResponseQuality, identifyHandoffTriggers, getCalibrationHistory],
  models: [getModelDetails, benchmarkModel, listLocalModelFiles, estimateModelRequirements],
  conversations: [exportConversations, searchConversations, getConversationStats],
  templates: [createPromptTemplate, listPromptTemplates, runPromptTemplate, smartModelRouter],
  system: [backupConfiguration, restoreConfiguration, getSystemResources],
  inventory: [
    listWorkspaces,
    listPersonas,
    listKnowledgeStacks,
    listPrompts,
    listTurnstiles,
    listToolsets,
    listCrews,
    listShadowPersonas,
    listSkills,
    listLiveContexts,
    listContextStudio,
    listAgentPlans,
    listStudioCatalogue,
    getSchemaMigrations,
    getInsightsUsage,
    getStudioEntity,
    detectNexus,
    listNexusModels,
    queryNexus,
  ],
  lifecycle: [listLoadedModels, planModelLoad, loadModel, unloadModel, setModelKeepAlive, pullModel, deleteModel],
};

/** The contract with only some of the groups. */
export function contractWith(toolsets: readonly Toolset[]): Contract<MstyService> {
  const tools = TOOLSETS.filter((toolset) => toolsets.includes(toolset)).flatMap((toolset) => toolsByToolset[toolset]);
  return {
    name: 'msty-admin',
    title: 'Msty Admin',
    version: manifest.version,
    description: manifest.description,
    instructions:
      'Looks after Msty Studio on this machine: its database (read-only), its local model services, conversations, personas and prompt ' +
      'templates. Begin with analyse_msty_health or detect_msty_installation. Every answer is {success, data, timestamp} or ' +
      '{success: false, error: {code, message, suggestion}, timestamp}; the suggestion names the next step. What was not checked is null.',
    envelope: mstyEnvelope,
    failures: { invalidInput, internal: crashed },
    acceptArguments: (args, name) =>
      withoutNulls(
        args,
        tools.find((tool) => tool.name === name),
      ),
    tools,
  };
}

export const contract = contractWith(TOOLSETS);

/** Many clients send null for an optional argument that they leave out. */
function withoutNulls(args: unknown, tool: Tool<MstyService> | undefined): unknown {
  if (!tool || args === null || typeof args !== 'object' || Array.isArray(args)) return args;
  return Object.fromEntries(
    Object.entries(args).filter(([name, value]) => {
      const field = Object.hasOwn(tool.input.shape, name) ? tool.input.shape[name] : undefined;
      return value !== null || !field?.safeParse(undefined).success;
    }),
  );
}
