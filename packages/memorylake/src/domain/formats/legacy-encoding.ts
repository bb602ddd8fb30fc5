/** An encoding from before Unicode, and the characters that are frequent in texts of it. */
interface Candidate {
  readonly label: string;
  readonly frequent: ReadonlySet<string>;
  /** Letters that this language has and others write with the same bytes. */
  readonly shared: ReadonlySet<string>;
}

const candidate = (label: string, frequent: string, shared = ''): Candidate => ({
  label,
  frequent: new Set(frequent),
  shared: new Set(shared),
});

const KANA =
  'のにはをたがでてとしれさいるなあもからりこくけうすそえおきかっつまみめやよらわんアイウエオカキクコサシスタトナリルレンドーッ。、「」';
/** Tables have hardly any kana: what columns, companies and people are called. */
const KANJI =
  '日本年月時分円人名前金額数量単価合計税込品番号住所電話備考会社株式東京都府県市区町村売上商支払田中山川木井石藤鈴野小原佐高橋渡辺伊';
const MULTI_BYTE: readonly Candidate[] = [
  candidate(
    'gb18030',
    '的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里，。、；：？！“”《》（）公司分市业本行经日月姓名金额数量单价合计编号地址电话备注税王李张刘陈杨赵黄周吴京海',
  ),
  candidate(
    'big5',
    '的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡，。、；：？！「」（）公司分市業本行經日月姓名金額數量單價合計編號地址電話備註稅王李張劉陳楊趙黃周吳京海',
  ),
  candidate('shift_jis', KANA + KANJI),
  candidate('euc-jp', KANA + KANJI),
  candidate('euc-kr', '이다는을의에가고하지은를로한기사도리인자나어시아서그대라있수정해보부일주제스전만게구여'),
];
/** Latin alphabets share most of their bytes: which letters stand together tells the language, and that the encoding. */
const SIGNS = '€£§°«»“”„‘’–—…•®©™';
const ofLanguages = (label: string, languages: readonly string[], shared = ''): Candidate[] =>
  languages.map((letters) => candidate(label, letters + letters.toUpperCase() + SIGNS, shared + shared.toUpperCase()));
const WESTERN = ofLanguages('windows-1252', [
  'äöüßéèà',
  'éèêëàâçîïôùûœæÿ',
  'áéíóúñü¿¡',
  'ãõáéíóúâêôçà',
  'àèéìòùí',
  'åäöéšž',
  'åæøéó',
  'áéèëïöüêçàíòóú·',
  'äöüõšž',
]);
const NORTHERN = ofLanguages('windows-1252', ['áéíóúö', 'áíóúø'], 'ðþæý');
const EASTERN = ofLanguages('windows-1250', ['ąćęłńóśźż', 'áčďéěíňóřšťúůýžľĺŕôä', 'áéíóöőúüű', 'ăâîşţ', 'čćđšž']);
/** Letters whose bytes mean another one in the West. */
const EASTERN_ONLY = /[ąćęłńśźčďěňřťůĺľŕőűăşţđ]/i;
const TURKISH = candidate('windows-1254', 'çÇğĞıİöÖşŞüÜâÂîû');
/** Texts in several languages of the West; as good as a language of the East fits only where that one leaves letters out. */
const ANY_WESTERN = candidate('windows-1252', `äöüßÄÖÜéèêàâçñóíáúôîïëåøæÅØÆãõìòùœÉÀÇÑ${SIGNS}`);
const MIXED = 0.85;
const CYRILLIC = 'оеаинтсрвлкмдпуяызьбгчйхжшюцэщ';
const SINGLE_BYTE: readonly Candidate[] = [
  candidate('windows-1251', `${CYRILLIC}ё«»№–—`),
  candidate('ibm866', `${CYRILLIC}ё№`),
  candidate('koi8-r', `${CYRILLIC}ё`),
  candidate('windows-1253', 'αοιετσνηυρπκμλςάέήίόύώγδθφχβ«»'),
  candidate('windows-1255', 'יוהלאתמרבשנדעקכחפסטגםןץ'),
  candidate('windows-1256', 'اليمونرتبةعدفسهكقحجشصطخذضزثءأإى،'),
];
const CYRILLIC_LABELS = new Set(['windows-1251', 'ibm866', 'koi8-r']);
const LATIN = new Set(['windows-1252', 'windows-1250', 'windows-1254']);
/** Latin text is the usual case: another single-byte encoding must fit clearly better. */
const CLEARLY = 0.08;
/** A single letter that no language of the West has tells a text of the East. */
const SLIGHTLY = 0.02;
/** Of Cyrillic letters more are vowels; Hebrew has the same bytes. */
const MIN_VOWELS = 0.3;

const LETTERS_JUDGED = 4_000;

/** Judges text that is not Unicode by how frequent its characters are in the languages of each encoding. */
export function guessLegacyEncoding(bytes: Uint8Array): string {
  const multi = best(MULTI_BYTE, bytes, scoreMultiByte);
  if (multi && multi.score > 0.25) return multi.label;
  const sample = untilLetters(bytes, LETTERS_JUDGED);
  const latin = Math.max(
    best([...WESTERN, ...NORTHERN], sample, scoreSingleByte)?.score ?? 0,
    MIXED * (scoreSingleByte(ANY_WESTERN, sample) ?? 0),
  );
  const eastern = best(EASTERN, sample, scoreSingleByte);
  const single = best([...SINGLE_BYTE, TURKISH], sample, scoreSingleByte);
  if (eastern && eastern.score > Math.max(latin + SLIGHTLY, single?.score ?? 0)) {
    return EASTERN_ONLY.test(new TextDecoder(eastern.label).decode(sample)) ? eastern.label : 'windows-1252';
  }
  return single && single.score > latin + CLEARLY ? single.label : 'windows-1252';
}

function best(candidates: readonly Candidate[], sample: Uint8Array, score: typeof scoreSingleByte) {
  let found: { label: string; score: number } | undefined;
  for (const one of candidates) {
    const value = score(one, sample);
    if (value !== undefined && value > (found?.score ?? 0)) found = { label: one.label, score: value };
  }
  return found;
}

// Share of frequent characters; a text that has bytes the encoding lacks is not in it.
function scoreMultiByte({ label, frequent }: Candidate, sample: Uint8Array): number | undefined {
  // The sample may end inside a character, so its last bytes are not judged.
  const end = sample.length < 1_024 ? sample.length : sample.length - 4;
  const text = new TextDecoder(label).decode(sample.subarray(0, end));
  let wide = 0;
  let hits = 0;
  let wrong = 0;
  for (const sign of text) {
    const code = sign.codePointAt(0)!;
    if (code < 0x80) continue;
    wide++;
    if (frequent.has(sign)) hits++;
    else if (code >= 0x4e00 && code <= 0x9fff) hits += label === 'euc-kr' ? 0 : 0.2;
    else if (code >= 0xac00 && code <= 0xd7a3) hits += 0.2;
    else if (code >= 0x30a1 && code <= 0x30fa) hits += 0.5;
    else if (code === 0xfffd || (code >= 0xe000 && code <= 0xf8ff)) wrong++;
  }
  if (wide < 2 || wrong > wide * 0.01) return undefined;
  return hits / wide;
}

function scoreSingleByte({ label, frequent, shared }: Candidate, sample: Uint8Array): number | undefined {
  const text = label === 'windows-1252' ? western(sample) : new TextDecoder(label).decode(sample);
  let high = 0;
  let score = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text[at]!;
    if (sign.charCodeAt(0) < 0x80) continue;
    high++;
    const isLetter = /\p{L}/u.test(sign);
    const inWord = isWord(text[at - 1]) && isWord(text[at + 1]);
    if (frequent.has(sign)) score += 1;
    else if (shared.has(sign)) score += 0.85;
    else if (isLetter && frequent.has(sign.toLowerCase())) score += inWord ? 0.2 : 0.8;
    else if (/\p{Cc}|\ufffd|[\u2500-\u259f]/u.test(sign)) score -= 1;
    else if (!isLetter && inWord) score -= 1;
    // In Latin scripts letters beyond ASCII stand between plain ones; side by side they are of another alphabet.
    if (LATIN.has(label) && isLetter && (text.charCodeAt(at - 1) || 0) >= 0x80 && isWord(text[at - 1])) score -= 0.8;
    // Words of other alphabets have no Latin letters in them.
    if (!LATIN.has(label) && (isLetter || sign === '№') && (isAscii(text[at - 1]) || isAscii(text[at + 1])))
      score -= 1.5;
    // A capital inside a word of small letters: the alphabet is shifted.
    if (isLetter && /\p{Lu}/u.test(sign) && /\p{Ll}/u.test(text[at - 1] ?? '')) score -= 0.5;
  }
  if (high === 0) return undefined;
  const vowels = CYRILLIC_LABELS.has(label) ? (text.match(/[аеёиоуыэюя]/gi)?.length ?? 0) : high;
  return (score / high) * (vowels < high * MIN_VOWELS ? 0.85 : 1);
}

/** The beginning of a text with so many bytes beyond ASCII: more of them tell nothing new. */
function untilLetters(bytes: Uint8Array, max: number): Uint8Array {
  let seen = 0;
  for (let at = 0; at < bytes.length; at++) if (bytes[at]! >= 0x80 && ++seen === max) return bytes.subarray(0, at + 1);
  return bytes;
}

const isWord = (sign: string | undefined): boolean => sign !== undefined && /\p{L}/u.test(sign);

const isAscii = (sign: string | undefined): boolean => sign !== undefined && /[A-Za-z]/.test(sign);

/** Node's own decoder has control characters in place of these quotes and dashes. */
const western = (bytes: Uint8Array): string =>
  new TextDecoder('windows-1252').decode(bytes).replace(/[\u0082-\u008c\u0091-\u009c]/g, '’');
