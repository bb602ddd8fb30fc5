import { STORED_DTYPES } from '../values/dtypes.ts';

/** English words and phrases by what they mean. Its keys are all meanings that the grammar knows. */
export const english = {
  /** Says nothing about what is asked. */
  FILLER: `the|a|an|my|our|your|this|please|kindly|can you|could you|would you|will you|can i|could i|may i|can we|i|we|you|me|us|i want to|i would like to|
    i want you to|we want to|i need to|i am trying to|i would love to|let us|let me|hi|hello|hey|ok|okay|so|now|just|simply|quickly|thanks|thank you|for me|to me|
    dear|currently|right now|both|?|!|¿|¡|{|}|kind|simply|really|actually|cheers|well|once|pls|plz|new|entire|whole|complete|full|respectively|would|will|like to|love to|
    thanks a lot|many thanks|thank you very much|in advance|if you can|if possible|if you please|good morning|good evening|good afternoon|teh|of course`,
  SHOW: `looking for|am looking for|searching for|explain|show|display|get|fetch|find|give|tell|tell me about|retrieve|look up|lookup|look for|look at|search|search for|search in|locate|load|open|see|view|inspect|
    describe|read|print|return|check|list|enumerate|browse|need|want|i need|i want|would like|like|summarize|summarise|seek|find out|check if|check whether|tell me if|
    tell me whether|list up|seek out|hunt for|pull up|bring up|fnd|fidn|gte|lst|lsit|shwo|name me|know|to know|to see|see if|determine|report|output me|compute|calculate|work out`,
  WHAT: 'what|which|which one|which ones|which of them|wat|waht|whats|wich|who|whose|what kind of|what sort of',
  IS: 'is|are|was|were|be|been|being|am',
  DOES: 'do|does|did',
  HAVE: 'have|has|had|having|got',
  EXIST: `exist|exists|existing|there|available|is there|are there|do you have|do i have|do we have|have you got|you have|i have|we have|you got|have you|stored|
    in the directory|in this directory|in my directory|in there|in here|in store|saved|on file|uploaded|in total|altogether|at all|here|in all|overall`,
  OF: 'of|for|in|from|about|on|inside|within|to',
  ON: 'on|to|over|against|upon|with|using|for|at|onto|given|from',
  WITH: 'with|using|through|by|via|by means of|into|to|use|in',
  USING: 'using|with|use|via|by using|with the help of',
  AS: 'as|for|to be|as the',
  AND: 'and|&|as well as|and also|along with',
  OR: 'or',
  COMMA: ',',
  STOP: '.|;',
  COLON: ':',
  EQUALS: '=|:|is|equals|set to',
  OPEN: '(',
  CLOSE: ')',
  ARROW:
    '->|=>|→|produce|producing|to produce|to get|to give|yielding|giving|to obtain|to create|creating|generating|to make',
  THEN: 'then|and then|afterwards|after that|next|finally|and afterwards|and after that|subsequently|and finally|followed by|also|and next|lastly|secondly|first',
  NOT: 'nothing|anything|nowhere|not|never|no|none|without|neither|nor|non|no longer|stop|avoid|dont|cannot',
  BUT: 'but',
  THAN: 'than|then',
  RUN: 'run|execute|apply|use|evaluate|invoke|run the|rnu|start|launch|call|try|running|executing|applying|using',
  FEED: 'pipe|route|feed|pass|send|push|put|process|transform|give|classify|handle|run',
  PREDICT: 'predict|inference|prediction|predictions|infer|an inference|a prediction|run inference',
  PROCESS: 'process|transform|handle|on|predict|to process|to transform|classify|to run on|run on',
  /** One word for "on it" in German; a verb behind the model, and what something is for, in Chinese. */
  ON_IT: '',
  APPLY_TO: '',
  WHAT_FOR: '',
  /** Verbs that come apart in other languages end here. */
  PARTICLE: '',
  CALL: 'call|name|save|store|label|write|keep|title|put|calling|naming|saving|storing|rename',
  OUTPUT:
    'final result|final output|end result|output|result|outcome|prediction|outputs|results|answer|output tensor|result tensor|output tensors',
  OUTPUT_NAME:
    'output name|output named|name of output|output called|outputs named|outputs called|result named|result called|named|called|output as|output to|as',
  INTO: 'as|to|under|in|into|under name|as name|be|to be|with name|named|called|under the name|with the name|should be|is|=|:',
  IT: 'it|that|them|they|these|those|its|their|this one|that one|each of them|all of them|the same|the latter|this tensor|that tensor',
  THEM: 'them|they|these|those|their|each of them|all of them|outputs|results',
  NAMED:
    'named|called|titled|entitled|labelled|labeled|with name|with the name|by name|by the name of|of name|whose name is|name is|that is called|that is named|which is called|named as|with uuid|with the uuid|with id|with the id|uuid|id|known as|with the name of|name',
  TENSOR: 'tensor|array|ndarray',
  TENSORS: 'tensors|arrays|ndarrays|tensor|array',
  MODEL: 'model|network',
  MODELS: 'models|networks|model|network',
  ITEMS: 'everything|anything|something|entry|entries|item|items|tensors and models|models and tensors',
  VECTORS: 'vectors|vector',
  MATRICES: 'matrices|matrix',
  SCALARS: 'scalars|scalar',
  ALL: 'all|every|each|any|all of|each of|every one of|some|all stored|every single',
  SHAPE: 'shape|shapes|shaped|form|dimensions|dims',
  DTYPE: 'dtype|type|datatype|data type|dtypes|element type|types|data-type|data types|numeric type|type of data',
  DETAILS:
    'details|detail|information|info|metadata|description|uuid|id|size|date|creation date|upload date|data about|summary|details about|info about|information about|size and shape|everything about|name|facts|overview|properties',
  CREATED: 'created|uploaded|stored|made|saved|added|imported|creation|upload',
  WHEN: 'when',
  HOW_MANY:
    'how many|how much|count|number of|the number of|count of|total number of|count up|amount of|quantity of|how mny|hwo many|total count of',
  HOW_BIG: 'how big|how large|how long|what size',
  ELEMENTS:
    'elements|element|values|entries|numbers|items|value|entry|number of elements|element count|count of elements|length|data points|items',
  DIMENSIONS: 'dimensions|dimension|axes|axis|dims|dim|rank|number of dimensions|ndim|dimensionality|dimensional|d',
  BYTES: 'bytes|byte|b',
  KILOBYTES: 'kb|kib|kilobytes|kilobyte',
  MEGABYTES: 'mb|mib|megabytes|megabyte',
  GIGABYTES: 'gb|gib|gigabytes|gigabyte',
  TAKE: 'take|takes|occupy|occupies|use|uses|need|needs|take up|takes up|weigh|consume|consumes|have|has',
  TAG: 'tag|tags|tagged|label|labels|tagged with|tagged as|with tag|labelled with|marked|marked as|marked with',
  VERSIONS: 'versions|version|revisions',
  MORE: 'more than|greater than|larger than|bigger than|over|above|exceeding|>|at over|longer than|higher than|beyond|bigger|larger|greater|more|upwards of|in excess of',
  LESS: 'less than|fewer than|smaller than|under|below|<|lower than|shorter than|smaller|fewer|less',
  AT_LEAST: 'at least|no less than|no fewer than|not less than|not fewer than|>=|≥|minimum|a minimum of|or more',
  AT_MOST:
    'at most|no more than|not more than|<=|≤|up to|a maximum of|or less|or fewer|not larger than|not bigger than',
  EXACTLY: 'exactly|precisely|equal to|equals|just|=|is',
  NAME: 'name|names',
  CONTAINS:
    'contains|containing|contain|including|include|includes|with|like|matching|has|have|holding|hold|holds|which contain|that contain|matches|match',
  BEGINS:
    'begins with|begin with|starts with|start with|starting with|beginning with|starts|begins|beginning|starting|start|begin|prefixed with|with the prefix|with prefix',
  ENDS: 'ends with|end with|ending with|ends in|ending in|end in|ends|end|ending|suffixed with|with the suffix|with suffix',
  ABOUT: `about|mentioning|related to|mentions|mention|describing|regarding|concerning|described as|with description|whose description contains|whose description mentions|for|from|matching|
    containing|that mention|which mention|described by|to do with|dealing with|on the topic of|whose description includes|with a description containing|with the word|with the words|containing the word|called something like`,
  IN_NAME:
    'in its name|in their name|in their names|in the name|in name|in the names|in its names|as part of the name|as part of their name',
  REL: 'written in|that|which|who|whose|where|with|having|of|being|are|is|have|has|were|was|do|did',
  AFTER: 'after|since|later than|newer than|from|from after|past',
  BEFORE: 'before|until|till|prior to|earlier than|older than|up to',
  DAY: 'on|from|at',
  TODAY: 'today|this day',
  YESTERDAY: 'yesterday',
  WEEK: 'this week|in the last week|in the past week|last 7 days|within the last week|last week',
  NEWEST:
    'newest|latest|most recent|last|most recently uploaded|most recently created|last uploaded|most recently added|recently uploaded',
  OLDEST: 'oldest|earliest|first|first uploaded',
  LARGEST:
    'largest|biggest|longest|most elements|with the most elements|has the most elements|have the most elements|largest number of elements|greatest',
  MOST: 'most|the most',
  SMALLEST: 'smallest|tiniest|shortest|fewest elements|with the fewest elements|has the fewest elements',
  MADE_BY:
    'made by|produced by|created by|generated by|computed by|output by|come from|came from|outputs of|results of|made with|produced with|that came from|made using|calculated by',
  MADE_FROM:
    'made from|derived from|produced from|created from|computed from|generated from|based on|made out of|calculated from|depends on|depend on|descend from|descended from|come from|came from|results from|made of',
  ORIGIN:
    'where does|where did|come from|comes from|came from|origin|lineage|provenance|history|where|origin of|lineage of|ancestry|source',
  HOW_MADE:
    'how was|how were|made|created|produced|computed|generated|who made|which model made|what made|which model produced|what produced|which model created|what created|which model generated',
  INPUTS: 'inputs|input|arguments|parameters|input keys|keys|input names|input tensors|input key|argument',
  NEED_INPUT:
    'need|needs|expect|expects|take|takes|require|requires|want|wants|accept|accepts|read|reads|have|has|use|uses',
  ROLE: 'role|key|input|argument|parameter|keyword|inputs',
  CODE: 'code|source|source code|program|python code|javascript code',
  WEIGHTS: 'weights|weight',
  ONLY: 'only|just|solely|nothing but',
  PYTHON: 'python',
  JAVASCRIPT: 'javascript|js',
  VALUES:
    'values|value|contents|content|numbers|data|elements|entries|what is in|what is inside|contains|contain|contained|actual values|raw values|hold|holds|what does it contain',
  FIRST: 'first|leading|initial',
  /** A place in a row of values, counted from 1, from the lexicon's own table; the first and the last have words of their own. */
  ORDINAL: '',
  NTH: '',
  WHERE:
    'where|at which index|at which position|at what index|at what position|what index|which index|what position|which position|index of|position of|location of|on which position|where in',
  ARG_MAXIMUM: 'argmax',
  ARG_MINIMUM: 'argmin',
  LAST: 'last|final|trailing',
  MINIMUM:
    'minimum|min|smallest value|lowest value|least value|minimum value|min value|smallest number|smallest element|lowest|smallest|lowest number',
  MAXIMUM:
    'biggest number|greatest number|biggest element|greatest element|maximum|max|largest value|highest value|greatest value|biggest value|maximum value|max value|largest number|largest element|highest|peak|largest|biggest|highest number',
  MEAN: 'mean|average|mean value|average value|avg|arithmetic mean',
  MEDIAN: 'median|median value',
  RANGE: 'range|value range|range of values|minimum and maximum|min and max',
  SUM: 'sum|total|sum of all values|total sum|sum total|sum of values|sum of all elements|sum of elements',
  DEVIATION: 'standard deviation|std|stddev|std dev|deviation|standard dev|spread',
  STATISTICS:
    'statistics|stats|figures|statistical summary|summary statistics|descriptive statistics|summary of statistics|statistic',
  NEGATIVE:
    'negative|negatives|below zero|smaller than zero|less than zero|negative values|negative numbers|negative value|negative number|negative elements|negative entries',
  POSITIVE:
    'positive|positives|above zero|greater than zero|positive values|positive numbers|positive value|positive number|positive elements|larger than zero',
  ZERO: 'zero|zeros|zeroes|zero values|zero value|zero entries|zero elements|0s',
  NAN: 'nan|nans|not a number|nan values|nan value|missing values|missing value|nan entries',
  INFINITE: 'infinite|infinity|infinities|inf|infs|infinite values|infinite value|inf values',
  COMPARE:
    'compare|comparison|compare between|difference between|differences between|difference|differences|differ|differs|compared|comparison of|comparison between|diff|diff between|difference of',
  SAME: 'same|equal|identical|alike|match|matching|the same|equal to|identical to|same as|equals|as|agree|coincide',
  BETWEEN: 'between|of',
  BY_SIZE: 'sorted by size|ordered by size|by size|sort by size|sort them by size|in order of size',
  BY_DATE:
    'sorted by date|ordered by date|by date|by age|sorted by age|sorted by upload date|by upload date|sorted by creation date|by creation date|sorted by time|chronologically',
  BY_NAME:
    'sorted by name|ordered by name|by name alphabetically|sorted alphabetically|alphabetically|in alphabetical order',
  MAKE: 'make|produce|create|generate|output|compute',
  HOW_TO_USE:
    'how do i use|how can i use|how to use|how do i run|how can i run|how to run|how do you use|how do i call|how to call|how should i call',
  HELP: 'help|what can you do|what can i ask|what can i do|how does this work|what do you do|what do you understand',
  LARGER:
    'larger|bigger|longer|larger than|bigger than|longer than|more elements|more elements than|greater|greater than|higher|higher than',
  SMALLER: 'smaller|shorter|smaller than|shorter than|fewer elements|fewer elements than|lower|lower than',
  DTYPE_NAME: STORED_DTYPES.join('|'),
  INTEGER: 'int|ints|integer|integers|whole number',
  UNSIGNED: 'unsigned|uint|uints|unsigned integer|unsigned int',
  SIGNED: 'signed|signed integer|signed int',
  FLOAT: 'float|floats|floating point|floating-point|floating|real|decimal|real-valued|float-valued',
  DOUBLE: 'double|doubles|double precision|double-precision',
  SINGLE: 'single precision|single-precision',
  HALF: 'half precision|half-precision|half',
  BOOLEAN: 'boolean|booleans|bool|bools|logical|true/false',
  BIT: 'bit|bits|-bit',
  BY: 'by|x|times',
  /** Changes that this tool never makes, with the tool that does. */
  DELETE: 'delete|remove|drop|erase|destroy|purge|wipe|clear|discard',
  CHANGE: 'rename|update|change|edit|modify|overwrite|replace|reset|retag',
  UPLOAD: 'upload|add|insert|create',
  TRANSFORM:
    'transpose|reshape|normalize|normalise|flatten|concatenate|multiply|divide|subtract|square|cast|rescale|standardize|standardise|stack',
  EXPORT: 'export|download|convert',
  PLOT: 'plot|draw|graph|chart|visualize|visualise|histogram of|heatmap of',
  IMPORT: 'import',
  /** Words that mean something here that the grammar has no place for. */
  BEYOND: `if|unless|except|tomorrow|twice|thrice|times|again|sorted|ordered|similar|until|while|because|why|how|should|must|might|when|where|similarly|half|quarter|maybe|instead|only if|
    whenever|every day|daily|later|soon|already|would happen|train|joke|weather|poem|sort|order|group|grouped|alphabetically|descending|ascending|except for|excluding|apart from|other than|rather than|random|approximately|about as`,
} as const;

export type Concept = keyof typeof english;
