import { CalibrationArea } from './service/calibration.ts';
import { ChatArea } from './service/chat.ts';
import { ConversationFigures } from './service/conversation-figures.ts';
import { ConversationsArea } from './service/conversations.ts';
import { DatabaseArea } from './service/database.ts';
import { InstallationArea } from './service/installation.ts';
import { IntelligenceArea } from './service/intelligence.ts';
import { InventoryArea } from './service/inventory.ts';
import { ServicesArea } from './service/local-services.ts';
import { ModelsArea } from './service/models.ts';
import { ModelsAtHand } from './service/models-at-hand.ts';
import type { ServiceOptions } from './service/options.ts';
import { NamedFiles } from './service/output-path.ts';
import { Studio } from './service/studio.ts';
import { SystemArea } from './service/system.ts';
import { TemplatesArea } from './service/templates.ts';
import { ToolConfigArea } from './service/tool-config.ts';

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
  readonly #options: ServiceOptions;

  constructor(options: ServiceOptions) {
    const studio = new Studio(options);
    const atHand = new ModelsAtHand(options);
    const files = new NamedFiles(options);
    const chat = new ChatArea(options, atHand);
    this.#options = options;
    this.installation = new InstallationArea(options, studio, atHand);
    this.database = new DatabaseArea(options, studio);
    this.toolConfig = new ToolConfigArea(options, studio, files);
    this.services = new ServicesArea(options, atHand);
    this.chat = chat;
    this.intelligence = new IntelligenceArea(options, studio, atHand, chat);
    this.calibration = new CalibrationArea(options, atHand, chat);
    this.models = new ModelsArea(options, atHand, chat);
    this.conversations = new ConversationsArea(options, studio);
    this.figures = new ConversationFigures(options, studio);
    this.templates = new TemplatesArea(options, chat);
    this.system = new SystemArea(options, studio, files);
    this.inventory = new InventoryArea(options, studio);
  }

  async close(): Promise<void> {
    await this.#options.backends.database.close();
    await this.#options.backends.store.close();
  }
}
