export { Aggregator, type AggregatorOptions } from './aggregator.ts';
export { type AggregatorConfig, configDefinition, type UpstreamConfig } from './config.ts';
export { contract } from './contract.ts';
export { createAtollServer } from './server.ts';
export { OverviewService } from './views/overview-service.ts';
