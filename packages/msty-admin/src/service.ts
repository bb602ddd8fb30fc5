import { AvailableModels } from './service/available-models.ts';
import { CalibrationArea } from './service/calibration.ts';
import { ChatArea } from './service/chat.ts';
import { ConversationFigures } from './service/conversation-figures.ts';
import { ConversationsArea } from './service/conversations.ts';
import { DatabaseArea } from './service/database.ts';
import { InstallationArea } from './service/installation.ts';
import { IntelligenceArea } from './service/intelligence.ts';
import { InventoryArea } from './service/inventory.ts';
import { LifecycleArea } from './service/lifecycle.ts';
import { ServicesArea } from './service/local-services.ts';
import { ModelsArea } from './service/models.ts';
import { NexusArea } from './service/nexus.ts';
import type { ServiceOptions } from './service/options.ts';
import { Studio } from './service/studio.ts';
import { SystemArea } from './service/system.ts';
import { TemplatesArea } from './service/templates.ts';
import { ToolConfigArea } from './service/tool-config.ts';
import { UserFiles } from './service/user-files.ts';

export type { Call, ServiceOptions } from './service/options.ts';

/** Everything the server does, area by area. */
export class MstyService {
  readonly installation: InstallationArea;
  readonly database: DatabaseArea;
  readonly toolConfig: ToolConfigArea;
  readonly services: ServicesArea;
  readonly chat: ChatArea;
  readonly intelligence: IntelligenceArea;
  readonly calibration: CalibrationArea;
  readonly models: ModelsArea;
  readonly conversations: ConversationsArea;
  readonly figures: ConversationFigures;
  readonly templates: TemplatesArea;
  readonly system: SystemArea;
  readonly inventory: InventoryArea;
  readonly nexus: NexusArea;
  readonly lifecycle: LifecycleArea;
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    const studio = new Studio(options);
    const available = new AvailableModels(options);
    const files = new UserFiles(options);
    const chat = new ChatArea(options, available);
    this.#options = options;
    this.installation = new InstallationArea(options, studio, available);
    this.database = new DatabaseArea(options, studio);
    this.toolConfig = new ToolConfigArea(options, studio, files);
    this.services = new ServicesArea(options, available);
    this.chat = chat;
    this.intelligence = new IntelligenceArea(options, studio, available, chat);
    this.calibration = new CalibrationArea(options, available, chat);
    this.models = new ModelsArea(options, available, chat);
    this.conversations = new ConversationsArea(options, studio);
    this.figures = new ConversationFigures(options, studio);
    this.templates = new TemplatesArea(options, chat);
    this.system = new SystemArea(options, studio, files);
    this.inventory = new InventoryArea(options, studio);
    this.nexus = new NexusArea(options);
    this.lifecycle = new LifecycleArea(options, available);
  }

  async close(): Promise<void> {
    await this.#options.backends.database.close();
    await this.#options.backends.store.close();
  }
}
