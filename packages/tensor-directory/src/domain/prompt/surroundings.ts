/** A prompt without what surrounds the request in it. */
export interface Core {
  readonly text: string;
  readonly setAside: readonly string[];
  /** Whether all that was set aside is courtesy, which may stand around a change as well. */
  readonly isPolite: boolean;
  /** "Just the names": only a list answers that. */
  readonly isList: boolean;
}

type Sort = 'polite' | 'talk' | 'list';
interface Phrase {
  readonly sort: Sort;
  readonly pattern: RegExp;
}

const PEOPLE =
  'teacher|professor|prof|boss|manager|colleague|co-?worker|friend|client|advisor|supervisor|mom|dad|wife|husband|brother|sister|son|daughter';
const WORKS =
  'report|presentation|talk|paper|thesis|homework|assignment|slides|slide deck|meeting|boss|teacher|professor|manager|blog post|article|essay|newsletter|documentation';
const MOMENT = '(?:a )?(?:sec|second|minute|moment|time|chance)';
const TELL = '(?: (?:please|kindly|quickly|just))?(?: (?:tell|show|give) me| let me know)?';

/** In front of a request. None of these holds a number, a condition on what is stored, or something to do. */
const OPENING: readonly (readonly [Sort, string])[] = [
  [
    'polite',
    'hey|hi|hello|so|um+|uh+|hmm+|well|ok|okay|alright|oh|yo|lol|please|pls|sorry|excuse me|good (?:morning|afternoon|evening)|by the way|btw',
  ],
  [
    'polite',
    `(?:(?:just )?an?(?:other)? )?(?:real |really )?(?:quick one|(?:quick|short|small|silly|stupid|dumb) question|quick(?=[,.:!]))`,
  ],
  ['polite', `(?:i have|i've got|i got|got) (?:an?|another|one) (?:quick |short |small |silly )?question(?: for you)?`],
  ['polite', 'real(?:ly)? quick(?:ly)?'],
  ['polite', `sorry (?:to (?:bother|bug|disturb) you|for (?:asking|the (?:bother|trouble)))`],
  ['polite', `(?:can|could) you help(?: me)?(?: out)?(?: with (?:this|something))?(?=[,.?!:])`],
  [
    'talk',
    `(?:i|we)(?:'m| am|'re| are| was| were)(?: just| really)? (?:wondering|curious|interested)(?: (?:if|whether) you (?:could|can|would|might)${TELL})?`,
  ],
  [
    'talk',
    `(?:i|we)(?: just| really| only)? (?:wonder|want(?:ed)?|need(?:ed)?|would like|would love)(?: to (?:know|see|find out|ask|hear|learn|understand|figure out))`,
  ],
  ['talk', `(?:i|we)(?:'d| would) (?:like|love)(?: to (?:know|see|find out|ask|hear|learn|understand))?`],
  [
    'talk',
    `(?:my|our|the) (?:${PEOPLE})(?: just| really| also)? (?:wants?|wanted|needs?|asks?|asked|wonders?|wondered|is asking|is wondering|is curious|would like)(?: me| us)?(?: (?:to (?:know|see|find out|hear|understand)|for))?`,
  ],
  ['talk', `(?:do|would|might) you (?:happen to |by any chance )?(?:know|remember|recall)`],
  [
    'talk',
    `(?:is there |are there )?any (?:chance|way)(?: that)?(?: you (?:could|can|might)| (?:i|we) (?:could|can))${TELL}`,
  ],
  ['talk', 'any (?:idea|clue)'],
];
/** In front of a request or behind it, set off by a mark or at an end. */
const BESIDE: readonly (readonly [Sort, string])[] = [
  ['polite', `if (?:it|that)(?:'s| is) not too much (?:trouble|bother|work|hassle|to ask)`],
  [
    'polite',
    `if (?:it|that)(?:'s| is) (?:ok|okay|alright|fine|no problem|no trouble|no bother|not a problem)(?: with you)?`,
  ],
  ['polite', `if you (?:don't|do not) mind(?: me asking| my asking)?`],
  ['polite', `(?:if|when|whenever) you (?:have|get|find) ${MOMENT}`],
  ['talk', `if you (?:happen to )?know|if i may ask`],
  ['polite', `no (?:rush|hurry|pressure|worries|stress)`],
  [
    'polite',
    `(?:many )?thanks(?: a lot| so much| a bunch| a million| a ton| in advance| again| very much)?|thank you(?: so much| very much| again)?|thx|ty|cheers|please|pls`,
  ],
  [
    'polite',
    `(?:much |i(?:'d| would)? (?:really )?)?appreciated?(?: it| that)?|you(?:'re| are) (?:the best|great|a star)`,
  ],
  ['polite', `that (?:would|'d) be (?:great|nice|lovely|awesome|helpful|wonderful|perfect)`],
  ['polite', `lol|haha+|btw|by the way|real quick|by any chance`],
  [
    'talk',
    `(?:this|it|that)(?: is|'s) (?:just )?for (?:my|our|an?|the|this) (?:${WORKS})|(?:just )?for (?:my|our) (?:${WORKS})`,
  ],
  [
    'talk',
    `(?:i(?:'m| am) )?(?:just )?curious|(?:just )?out of (?:pure |sheer )?curiosity|(?:just )?asking for a friend`,
  ],
  ['talk', `do you know|any (?:idea|clue)|i forgot|i forget|i (?:can't|cannot) remember`],
  ['list', `(?:just|only) (?:the|their) names`],
  // German
  [
    'polite',
    `wenn es (?:keine umstände|nicht zu viel mühe) macht|wenn (?:du|sie) (?:kurz |mal )*(?:zeit )?(?:hast|haben|magst|mögen)`,
  ],
  [
    'polite',
    `(?:vielen|herzlichen|lieben|besten) dank(?: im voraus)?|danke(?: schön| sehr| dir| ihnen)?(?: im voraus)?|bitte|das wäre (?:nett|super|toll|lieb)`,
  ],
  [
    'talk',
    `(?:nur |das ist )?für (?:meinen|unseren|einen) (?:bericht|vortrag|artikel|aufsatz)|für (?:meine|unsere|eine) (?:präsentation|arbeit|hausarbeit)`,
  ],
  // Spanish
  [
    'polite',
    `si no es (?:mucha )?molestia|si no te importa|si (?:tienes|puedes)(?: un momento)?|(?:muchas )?gracias(?: de antemano)?|por favor`,
  ],
  ['talk', `(?:es )?para (?:mi|nuestro|un) (?:informe|trabajo|artículo|presentación)|para (?:mi|una) (?:presentación)`],
  // French
  [
    'polite',
    `si (?:ça|cela) ne (?:te|vous) dérange pas|si (?:tu as|vous avez) (?:un moment|une minute)|merci(?: beaucoup| d'avance| bien)*|s'il (?:te|vous) plaît`,
  ],
  ['talk', `(?:c'est )?pour (?:mon|notre|un) (?:rapport|exposé|article|mémoire)|pour (?:ma|une) présentation`],
];
const OTHER_OPENING: readonly (readonly [Sort, string])[] = [
  [
    'polite',
    `hallo|moin|servus|also|ähm*|sag mal|entschuldigung|(?:nur )?(?:eine |ne )?(?:kurze|kleine|schnelle) frage|mal (?:eine|ne) frage`,
  ],
  [
    'talk',
    `ich (?:wollte|möchte|würde)(?: nur| mal| gern| gerne)* (?:fragen|wissen)|ich frage mich|mich (?:würde interessieren|interessiert)|(?:weißt du|wissen sie|weisst du)(?: zufällig)?`,
  ],
  [
    'talk',
    `(?:mein|unser) (?:chef|lehrer|kollege|professor|betreuer) (?:will|möchte|wollte)(?: gern| gerne)? wissen|(?:meine|unsere) (?:chefin|lehrerin|kollegin|professorin) (?:will|möchte|wollte)(?: gern| gerne)? wissen`,
  ],
  ['polite', `hola|oye|bueno|perdona|disculpa|(?:una )?(?:pregunta|duda) (?:rápida|corta)|una pregunta`],
  [
    'talk',
    `me preguntaba|quería saber|quisiera saber|me gustaría saber|(?:¿)?sabes(?: por casualidad)?|mi (?:jefe|jefa|profesor|profesora) quiere saber`,
  ],
  ['polite', `bonjour|salut|alors|euh+|pardon|(?:une )?(?:petite )?question(?: rapide)?`],
  [
    'talk',
    `je me demand(?:e|ais)|je voulais savoir|je voudrais savoir|j'aimerais savoir|(?:tu sais|savez-vous|sais-tu)|(?:mon|ma|notre) (?:chef|patron|prof|collègue) (?:veut|voudrait|aimerait) savoir`,
  ],
];
/** Chinese has no spaces. */
const HAN_OPENING: readonly (readonly [Sort, string])[] = [
  [
    'polite',
    '你好|您好|嗨|请问一下|请问|麻烦你?一下|麻烦您?|打扰一下|不好意思|顺便问一下|问一下|快速问一下|方便的话|如果方便的话|如果不麻烦的话',
  ],
  ['talk', '我想知道|我想问一下|我想问|我很好奇|(?:我的?|我们)?(?:老师|老板|经理|同事|导师)(?:想知道|问我?)|你知道'],
];
const HAN_BESIDE: readonly (readonly [Sort, string])[] = [
  ['polite', '谢谢(?:你|您|啦|了)?|多谢|非常感谢|感谢|拜托了?|辛苦了?|方便的话|如果方便的话|如果不麻烦的话'],
  ['talk', '(?:这是)?(?:我的?)?(?:报告|论文|演示)要?用|你知道吗'],
];

const MARKS = '[\\s,:;.!?¡\uff0c\u3002\uff1a\uff1b\uff01\uff1f\u3001\u2013\u2014-]';
const leading = (phrases: readonly (readonly [Sort, string])[], gap: string): Phrase[] =>
  phrases.map(([sort, text]) => ({ sort, pattern: new RegExp(`^(?:${text})${gap}`, 'iu') }));
const trailing = (phrases: readonly (readonly [Sort, string])[], gap: string): Phrase[] =>
  phrases.map(([sort, text]) => ({ sort, pattern: new RegExp(`${gap}(?:${text})(?=${MARKS}*$)`, 'iu') }));
const STARTS: readonly Phrase[] = [
  ...leading([...BESIDE, ...OPENING, ...OTHER_OPENING], `(?:\\s+-\\s+|(?=${MARKS})${MARKS}+)`),
  ...leading([...HAN_OPENING, ...HAN_BESIDE], `${MARKS}*`),
];
const ENDS: readonly Phrase[] = [...trailing(BESIDE, `(?:^|${MARKS})+(?:and )?`), ...trailing(HAN_BESIDE, `${MARKS}*`)];
const MAX_PHRASES = 8;

/** The prompt without the phrases around it that carry no content, if there are any. What is left has to be understood by itself. */
export function withoutSurroundings(prompt: string): Core | undefined {
  let text = prompt.normalize('NFC').replaceAll('’', "'").trim();
  const setAside: string[] = [];
  const sorts = new Set<Sort>();
  for (let count = 0; count < MAX_PHRASES; count++) {
    const { start, end } = longest(text);
    const found = start ?? end;
    if (!found) break;
    const rest = start
      ? text.slice(found.text.length)
      : `${text.slice(0, text.length - found.text.length - found.after.length)}${/[?\uff1f]/.exec(found.after)?.[0] ?? ''}`;
    if (!/[\p{L}\p{N}]/u.test(rest)) break;
    sorts.add(found.sort);
    setAside.push(found.text);
    text = rest.trim();
  }
  if (setAside.length === 0) return undefined;
  return { text, setAside, isPolite: !sorts.has('talk') && !sorts.has('list'), isList: sorts.has('list') };
}

interface Found {
  readonly sort: Sort;
  readonly text: string;
  readonly after: string;
}

function longest(text: string): { start?: Found; end?: Found } {
  const starts = STARTS.flatMap(({ sort, pattern }) => {
    const found = pattern.exec(text)?.[0];
    return found ? [{ sort, text: found, after: '' }] : [];
  });
  const ends = ENDS.flatMap(({ sort, pattern }) => {
    const found = pattern.exec(text);
    return found ? [{ sort, text: found[0], after: text.slice(found.index + found[0].length) }] : [];
  });
  const byLength = (a: Found, b: Found) => b.text.length - a.text.length;
  const [start] = starts.toSorted(byLength);
  const [end] = ends.toSorted(byLength);
  return start ? { start } : end ? { end } : {};
}
