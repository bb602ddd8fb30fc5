import type { EmbeddingService } from '../service.ts';

/** The service's own figures in Prometheus text. */
export function metricsText({ counters, embedder }: EmbeddingService): string {
  const figures = [
    ['cortex_cache_hits_total', 'counter', 'Texts answered from the cache', counters.cacheHits],
    ['cortex_cache_misses_total', 'counter', 'Texts computed by the model', counters.cacheMisses],
    ['cortex_rate_limited_total', 'counter', 'Requests rejected by the rate limit', counters.rateLimited],
    ['cortex_pending_texts', 'gauge', 'Texts that wait for the model or are being computed', embedder.pending],
  ];
  return figures
    .map(([name, type, help, value]) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${name} ${value}\n`)
    .join('');
}
