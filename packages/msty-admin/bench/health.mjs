// analyse_msty_health with every service down and with every service hanging, against one time-out.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { createMstyServer } from '../dist/index.js';
import { caller, median, rounded, studioHome } from './_studio.mjs';

const TIMEOUT_SECONDS = 2;
const RUNS = 5;
const LIMIT = 1.1;

const listen = (server) =>
  new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server.address().port)));
const { home, remove } = studioHome({ messages: 1000 });
const services = Array.from({ length: 6 }, () => createServer(() => {}));
const ports = await Promise.all(services.map(listen));

await measure('hanging');
for (const service of services) {
  service.closeAllConnections();
  await new Promise((resolve) => service.close(resolve));
}
await measure('down');
remove();

async function measure(state) {
  const [aiPort, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort] = ports;
  const settings = { aiPort, mlxPort, llamacppPort, vibePort, ollamaPort, lmStudioPort, timeout: TIMEOUT_SECONDS };
  const server = createMstyServer({ ...settings, home, dataDir: join(home, 'atoll') });
  const call = caller(server);
  const times = [];
  for (let run = -1; run < RUNS; run++) {
    const begun = performance.now();
    const { service_status } = await call('analyse_msty_health');
    if (Object.values(service_status).some(({ available }) => available)) throw new Error('a service is up');
    if (run >= 0) times.push(performance.now() - begun);
  }
  await server.close();
  const ratio = median(times) / (TIMEOUT_SECONDS * 1000);
  console.log(
    JSON.stringify({
      bench: `msty-admin/health-${state}`,
      services: ports.length,
      health_ms: rounded(median(times)),
      timeout_ms: TIMEOUT_SECONDS * 1000,
      ratio: rounded(ratio),
      target_ratio: LIMIT,
      holds: ratio < LIMIT,
    }),
  );
}
