// Compute on a file with pandas: variables stay from one call to the next, and nothing gets out of the sandbox.
import assert from 'node:assert/strict';
import { connect } from './_atoll.mjs';

const { call, close } = await connect('memorylake');
const rows = ['city,year,visitors', 'Visby,2024,900', 'Visby,2025,1100', 'Slite,2024,300', 'Slite,2025,330'];
const { result: memory } = await call('add_memory', { name: 'visitors.csv', text: rows.join('\n') });
const { result: runner } = await call('create_memory_code_runner');
const run = (code) => call('run_memory_code', { executor_id: runner.executor_id, code });

await run(`import pandas as pd\nframe = pd.read_csv(get_memory_path("${memory.id}", "visitors.csv"))`);
const { result } = await run('print(frame.groupby("city").visitors.sum().to_dict())');
assert.equal(result.output.trim(), "{'Slite': 630, 'Visby': 2000}");
console.log(result.output);
await call('close_memory_code_runner', { executor_id: runner.executor_id });
await close();
