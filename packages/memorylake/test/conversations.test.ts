import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Body, connect } from './open-client.ts';
import { cleanUp } from './open-test-lake.ts';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });
afterAll(cleanUp);

type Turn = readonly [speaker: string, text: string];

/** Two friends over a year; each session on its day, and much said that is near to what is asked. */
const SESSIONS: readonly (readonly [day: string, turns: readonly Turn[]])[] = [
  [
    '2023-01-14',
    [
      ['Maya', 'Hey Tom! I finally signed up for the pottery class at the community centre.'],
      ['Tom', 'Nice! I am still busy with the kayak. I want to finish varnishing it before spring.'],
      ['Maya', 'My first bowl cracked in the kiln, but the teacher, Mrs. Okafor, said that is normal.'],
      ['Tom', 'My knee hurts again, so running has to wait. The doctor wants an X-ray on Friday.'],
    ],
  ],
  [
    '2023-03-02',
    [
      ['Tom', 'The X-ray was fine. It is only a strained ligament, six weeks of rest.'],
      ['Maya', 'Good news! I adopted a dog last weekend, a greyhound named Biscuit.'],
      ['Tom', 'A greyhound! My sister Lena had a beagle called Waffle when we were kids.'],
      ['Maya', 'Biscuit is afraid of the vacuum cleaner and hides in the bathtub.'],
      ['Tom', 'I am applying for the job at the aquarium in Lisbon, as a marine biologist.'],
    ],
  ],
  [
    '2023-06-21',
    [
      ['Maya', 'We drove to Granada for my birthday. The Alhambra at night was magical.'],
      ['Tom', 'I got the job! I move to Lisbon in September and start with the jellyfish tank.'],
      ['Maya', 'Congratulations! Then you need a flat. My cousin Pedro rents one out in Alfama.'],
      ['Tom', 'Please ask him. I can pay 900 euros a month at most.'],
      ['Maya', 'I sold three vases at the summer market and bought new glazes from it.'],
    ],
  ],
  [
    '2023-10-05',
    [
      ['Tom', 'Lisbon is great. Pedro gave me the flat for 850, and I paddle the kayak on the Tagus on Sundays.'],
      ['Maya', 'Biscuit ate a whole lemon cake yesterday and we had to see the vet.'],
      ['Tom', 'Oh no! Is he all right? A turtle bit me at work, three stitches.'],
      ['Maya', 'He is fine. I stopped eating gluten, the doctor found that I am coeliac.'],
      ['Tom', 'I am learning the accordion, badly. The neighbours have complained twice.'],
    ],
  ],
  [
    '2023-12-18',
    [
      ['Maya', 'I am opening my own pottery studio in February, in the old bakery on Mill Street.'],
      ['Tom', 'I come home for Christmas on the 22nd with the night train, and I bring someone: Inês.'],
      ['Maya', 'Finally! Where did you two meet?'],
      ['Tom', 'At the accordion lessons. She plays far better than I do and works as a nurse.'],
      ['Maya', 'Mrs. Okafor retires, so I take over two of her kilns.'],
    ],
  ],
];

const TURNS = SESSIONS.flatMap(([day, turns]) =>
  turns.map(([role, text], at) => ({ role, text, time: `${day}T18:${10 + at}:00Z` })),
);
const numberOf = (part: string) => TURNS.findIndex(({ text }) => text.includes(part)) + 1;

let call: Awaited<ReturnType<typeof connect>>['call'];
beforeAll(async () => {
  ({ call } = await connect());
  const file = (turns: readonly object[]) => turns.map((turn) => JSON.stringify(turn)).join('\n');
  await call('add_memory', { name: 'maya-tom.jsonl', text: file(TURNS) });
  // Others who speak of the same things.
  const others = TURNS.map(({ role, text, time }) => ({
    role: role === 'Maya' ? 'Greta' : 'Olaf',
    text: `Somebody told me about it: ${text.split(' ').slice(0, 3).join(' ')} and so on.`,
    time: time.replace('2023', '2022'),
  }));
  await call('add_memory', { name: 'greta-olaf.jsonl', text: file(others) });
});

async function turnsFor(query: string): Promise<number[]> {
  const { results } = (await call('search_memory', { query, limit: 5 })) as Body;
  const snippets = results.flatMap(({ name, snippets: found }: Body) =>
    found.map(({ place, score }: Body) => ({ name, turn: place.turn, score })),
  );
  return snippets.filter(({ name }: Body) => name.startsWith('maya-tom')).map(({ turn }: Body) => turn);
}

// Each shares a word with its turn: the embedder of these tests knows no meanings.
test.each([
  ["What is the name of Maya's dog?", 'greyhound named Biscuit'],
  ["Who is Maya's pottery teacher?", 'Mrs. Okafor, said'],
  ['What did the X-ray of Tom show?', 'strained ligament'],
  ['What is Biscuit afraid of?', 'vacuum cleaner'],
  ["What was the name of Lena's beagle?", 'beagle called Waffle'],
  ['Which job did Tom apply for in March 2023?', 'applying for the job'],
  ['When did Tom say that he got the job and moves to Lisbon?', 'I got the job'],
  ['Where did Maya go for her birthday?', 'drove to Granada'],
  ['How much rent can Tom pay at most?', '900 euros'],
  ['What did Maya sell at the summer market?', 'three vases'],
  ['How much is the flat that Pedro gave to Tom?', 'for 850'],
  ['Who ate a whole cake?', 'lemon cake'],
  ['What bit Tom at work?', 'turtle bit me'],
  ['Why did Maya stop eating gluten?', 'coeliac'],
  ['Which instrument is Tom learning?', 'accordion, badly'],
  ['Where does Maya open her studio?', 'Mill Street'],
  ['What did Tom say on 18 December 2023 about Christmas?', 'night train'],
  ['How does Inês earn her living, as a nurse?', 'works as a nurse'],
  ['What does Maya take over from Mrs. Okafor?', 'two of her kilns'],
  ['What did Maya say in October 2023 about the vet?', 'see the vet'],
])('%s', async (question, part) => {
  expect(numberOf(part)).toBeGreaterThan(0);
  expect((await turnsFor(question)).slice(0, 5)).toContain(numberOf(part));
});
