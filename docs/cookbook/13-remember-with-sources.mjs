// Write down what was learnt with the place it was learnt from, and notice when that place changes.
import assert from 'node:assert/strict';
import { connect } from './_atoll.mjs';

const { call, close } = await connect('memorylake');
const { result: plan } = await call('add_memory', { name: 'plan.txt', text: 'The pier opens in May.' });
const cites = [{ memory_id: plan.id, chunk: 1 }];
const { result: note } = await call('remember', { text: 'Opening of the pier: May', cites });

// The same name with other words is a new version of the file.
await call('add_memory', { name: 'plan.txt', text: 'The pier opens in June.' });
const { result: found } = await call('search_memory', { query: 'opening of the pier', kind: 'note' });
const [{ former, present }] = found.results[0].note.source_changed;
assert.deepEqual([former, present], ['The pier opens in May.', 'The pier opens in June.']);

const { result: newer } = await call('supersede', { note_id: note.id, text: 'Opening of the pier: June' });
const { result: diff } = await call('diff_versions', { memory_id: plan.id, from: 1 });
assert.deepEqual([diff.added, diff.removed], [1, 1]);
console.log(`${note.id} held until ${newer.former.note.valid_to}, ${newer.id} holds now`);
await close();
