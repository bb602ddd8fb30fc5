// Made-up text and vectors to search: words as frequent as in a language, vectors in clusters; the same in every run.

/** Numbers from 0 up to 1, by mulberry32. */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

export function makeCorpus({ seed, dimensions, clusters }) {
  const random = randomFrom(seed);
  const words = zipf(60_000);
  const pairs = zipf(400_000);
  const centres = Array.from({ length: clusters }, () => gaussian());

  function english(length) {
    return Array.from({ length }, () => `w${pick(words)}`);
  }

  /** Pairs of characters, of which running text has some hundred thousand different ones. */
  function chinese(length) {
    return Array.from({ length }, () => {
      const pair = pick(pairs);
      return String.fromCharCode(0x4e00 + (pair % 5_000), 0x4e00 + Math.floor(pair / 5_000));
    });
  }

  /** Of length 1, near the middle of some cluster. */
  function vector() {
    const centre = centres[Math.floor(random() * centres.length)];
    const noise = gaussian();
    return normalised(centre.map((value, i) => value + 0.7 * noise[i]));
  }

  function gaussian() {
    return normalised(Float32Array.from({ length: dimensions }, () => random() + random() + random() - 1.5));
  }

  function pick(sums) {
    const target = random() * sums[sums.length - 1];
    let low = 0;
    for (let high = sums.length - 1; low < high; ) {
      const middle = (low + high) >> 1;
      if (sums[middle] < target) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  return { random, english, chinese, vector };
}

/** Adds up how frequent words are, the most frequent first. */
function zipf(count) {
  const sums = new Float64Array(count);
  for (let i = 0, sum = 0; i < count; i++) sums[i] = sum += 1 / (i + 2.7);
  return sums;
}

function normalised(vector) {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  return vector.map((value) => value / length);
}
