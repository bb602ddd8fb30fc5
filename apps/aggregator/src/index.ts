export { Aggregator, type AggregatorOptions } from './aggregator.ts';
export { type AggregatorConfig, configDefinition, type UpstreamConfig } from './config.ts';
export { contract } from './contract.ts';
export { OverviewService } from './overview.ts';
export { createAtollServer } from './server.ts';
