import { t } from './texts.ts';

/** A few documents of an island harbour, to try the lake with. They come with the page. */
const NAMES = ['harbour-handbook.pdf', 'council-minutes.md', 'catches-2026.xlsx', 'passengers.csv'];

/** Questions that the samples answer. */
export const SAMPLE_QUESTIONS = [
  'When does the last ferry leave on Fridays?',
  'What does a mooring cost for a boat of 11 metres?',
  'Who repairs the breakwater?',
];

export async function sampleFiles(): Promise<File[]> {
  return Promise.all(
    NAMES.map(async (name) => {
      const response = await fetch(`/assets/samples/${name}`);
      if (!response.ok) throw new Error(t('The sample {name} could not be loaded.', { name }));
      return new File([await response.blob()], name);
    }),
  );
}
