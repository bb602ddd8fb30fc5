import { STORED_DTYPES } from '@atoll-mcp/formats/dtypes';

/** English words and phrases by what they mean. Its keys are all meanings that the grammar knows. */
export const english = {
  /** Says nothing about what is asked. */
  FILLER: `the|a|an|my|our|your|this|please|kindly|can you|could you|would you|will you|can i|could i|may i|can we|i|we|you|me|us|i want to|i would like to|
    i want you to|we want to|i need to|i am trying to|i would love to|let us|let me|hi|hello|hey|ok|okay|so|now|just|simply|quickly|thanks|thank you|for me|to me|
    dear|currently|right now|both|?|!|¿|¡|{|}|kind|simply|really|actually|cheers|well|once|pls|plz|new|entire|whole|complete|full|respectively|would|will|like to|love to|
    thanks a lot|many thanks|thank you very much|in advance|if you can|if possible|if you please|good morning|good evening|good afternoon|teh|of course|thx|ty|thanks so much|thank you so much|thanks in advance|much appreciated|quick|quick question|quick one|real quick|really quick|got a sec|got a minute|got a moment|hey there|hi there|hello there|i was wondering if you could|i wonder if you could|curious|i am curious|when you get a chance|when you get the chance|when you have time|when you have a moment|when you have a minute|if you do not mind|if you would|if you could|if you have time|would you mind|do me a favour|do me a favor|in one go|be so kind|be so kind as to|would you be so kind as to|by the way|btw|out of curiosity|good day|greetings|sorry|um|uh|hmm|asap|for us|as soon as possible|so far|to date|please and thank you|need you to|i need you to|be able to|go ahead and|please go ahead and|help me|can you help me`,
  SHOW: `looking for|am looking for|searching for|explain|show|display|get|fetch|find|give|tell|tell me about|retrieve|look up|lookup|look for|look at|search|search for|search in|locate|load|open|see|view|inspect|
    describe|read|print|return|check|list|enumerate|browse|need|want|i need|i want|would like|like|summarize|summarise|seek|find out|check if|check whether|tell me if|
    tell me whether|list up|seek out|hunt for|pull up|bring up|fnd|fidn|gte|lst|lsit|shwo|name me|know|to know|to see|see if|determine|report|output me|compute|calculate|work out|take|grab|pick|looking at|let me see|give me back|i am interested in|state|spell out|what about|how about|i wonder|i wonder if|i wonder whether|i was wondering|wondering|i was wondering if|i was wondering whether|have a look at|take a look at|peek at|let me know|let me know if|let me know whether|remind me of|remind me`,
  WHAT: 'what|which|which one|which ones|which of them|wat|waht|whats|wich|whose|what kind of|what sort of',
  IS: 'is|are|was|were|be|been|being|am',
  DOES: 'do|does|did',
  HAVE: 'have|has|had|having|got|carry|carries|carrying|carried|bear|bears|come with|comes with|came with',
  EXIST: `you are holding|are you holding|you hold|do you hold|you keep|do you keep|we keep|do we keep|exist|exists|existing|there|available|is there|are there|do you have|do i have|do we have|have you got|you have|i have|we have|you got|have you|stored|
    in the directory|in this directory|in my directory|in there|in here|in store|saved|on file|uploaded|in total|altogether|at all|here|in all|overall|we have got|i have got|do we have got|that we have|that i have|that exist|i uploaded|we uploaded|we got|i got|we store|held here|in our directory|around|in the store|in our store|in the database|lying around`,
  OF: 'of|for|in|from|about|on|inside|within|to|according to|across|stored in|held in|held by|contained in|found in|among|amongst',
  ON: 'on|to|over|against|upon|with|using|for|at|onto|given|from|w /|over to|loose on|over on',
  WITH: 'with|using|through|by|via|by means of|into|to|use|in|w /|in with|through the',
  USING: 'together with|using|with|use|via|by using|with the help of|w /|by|through|by means of|with help of',
  AS: 'as|for|to be|as the',
  AND: 'and|&|as well as|and also|along with|together with|and on top',
  OR: 'or',
  COMMA: ',',
  STOP: '.|;',
  COLON: ':',
  EQUALS: '=|:|is|equals|set to',
  OPEN: '(',
  CLOSE: ')',
  ARROW:
    '->|=>|→|produce|producing|to produce|to get|to give|yielding|giving|to obtain|to create|creating|generating|to make',
  THEN: 'then|and then|afterwards|after that|next|finally|and afterwards|and after that|subsequently|and finally|followed by|also|and next|lastly|secondly|first|first of all|to begin with|to start|after this|after which|in a second step|as a second step|as a next step|and lastly|in the end|at the end|thereafter|start by|begin by|once done|once that is done|when done|when that is done|afterward|from there|and from there|and as a last step|as a last step|and in the end|and at the end|as a final step|as a first step|in a first step|step 1|step 2|step 3|for starters|and subsequently|and thereafter|last of all|and last',
  NOT: 'nothing|anything|nowhere|not|never|no|none|without|neither|nor|non|no longer|stop|avoid|dont|cannot|arent|isnt|doesnt|havent|hasnt|wasnt|werent|didnt|lack|lacks|lacking|lacked|with no|without any|have no|has no|having no|devoid of|free of',
  BUT: 'but',
  THAN: 'than|then',
  RUN: 'run|execute|apply|use|evaluate|invoke|run the|rnu|start|launch|call|try|running|executing|applying|using|let|applied|executed|perform|fire up|fire|use the|trigger|unleash|kick off|carry out|fire off|spin up|crank up|crank|exec|go',
  FEED: 'pipe|route|feed|pass|send|push|put|process|transform|give|classify|handle|run|throw|shove|stick|plug|pump|drop|hand|chuck|take|submit|funnel|crank|shoot|hand over|forward|run through',
  PREDICT: 'predict|inference|prediction|predictions|infer|an inference|a prediction|run inference',
  PROCESS: 'process|transform|handle|on|predict|to process|to transform|classify|to run on|run on',
  /** One word for "on it" in German; a verb behind the model, and what something is for, in Chinese. */
  ON_IT: '',
  APPLY_TO: '',
  WHAT_FOR:
    'for|used for|good for|there for|meant for|do|purpose|the purpose of|purpose of|the point of|use of|the use of|useful for|supposed to do|the job of',
  /** Verbs that come apart in other languages end here. */
  PARTICLE: '',
  CALL: 'call|name|save|store|label|write|keep|title|put|calling|naming|saving|storing|rename|store away',
  OUTPUT:
    'final result|final output|end result|output|result|outcome|prediction|outputs|results|answer|output tensor|result tensor|output tensors|whatever comes out|what comes out|what comes out of it|what comes out of that|output of that|output of it|result of that|result of it|previous result|previous output|last result|last output|final thing|final tensor|final one|last one|what you get|what it returns|what that gives|resulting tensor|new tensor|first result|first output|output from that|result from that|outcome of that|intermediate result|returned tensor',
  OUTPUT_NAME:
    'output name|output named|name of output|output called|outputs named|outputs called|result named|result called|named|called|output as|output to|as|give it the name|give the result the name|give the output the name',
  INTO: 'as|to|under|in|into|under name|as name|be|to be|with name|named|called|under the name|with the name|should be|is|=|:|under the title|the name|name',
  IT: 'it|that|them|they|these|those|its|their|this one|that one|each of them|all of them|the same|the latter|this tensor|that tensor',
  THEM: 'them|they|these|those|their|each of them|all of them|outputs|results',
  NAMED:
    'named|called|titled|entitled|labelled|labeled|with name|with the name|by name|by the name of|of name|whose name is|name is|that is called|that is named|which is called|named as|with uuid|with the uuid|with id|with the id|uuid|id|known as|with the name of|name',
  TENSOR: 'tensor|array|ndarray',
  TENSORS: 'tensors|arrays|ndarrays|tensor|array|tensor names|tensors in total',
  MODEL: 'model|network',
  MODELS: 'models|networks|model|network',
  ITEMS:
    'what is in the directory|what is in here|what is in there|what is in store|everything|anything|something|entry|entries|item|items|tensors and models|models and tensors|anything that|things|stuff',
  VECTORS: 'vectors|vector',
  MATRICES: 'matrices|matrix',
  SCALARS: 'scalars|scalar',
  ALL: 'all|every|each|any|all of|each of|every one of|some|all stored|every single',
  SHAPE: 'shape|shapes|shaped|form|dimensions|dims',
  DTYPE:
    'dtype|type|datatype|data type|dtypes|element type|types|data-type|data types|numeric type|type of data|kind of numbers|number type|numerical type|precision|dtype of data|kind of values|kind of data',
  DETAILS:
    'details|detail|information|info|metadata|description|uuid|id|size|date|creation date|upload date|data about|summary|details about|info about|information about|size and shape|everything about|name|facts|overview|properties|metadata of|full details|all details|facts about',
  CREATED: 'add|created|uploaded|stored|made|saved|added|imported|creation|upload|put in|came in|entered',
  WHEN: 'since when|when',
  HOW_MANY:
    'how many|how much|count|number of|the number of|count of|total number of|count up|amount of|quantity of|how mny|hwo many|total count of',
  HOW_BIG: 'how big|how large|how long|what size',
  ELEMENTS:
    'elements|element|values|entries|numbers|items|value|entry|number of elements|element count|count of elements|length|data points|items|number',
  DIMENSIONS: 'dimensions|dimension|axes|axis|dims|dim|rank|number of dimensions|ndim|dimensionality|dimensional|d',
  BYTES: 'bytes|byte|b',
  KILOBYTES: 'kb|kib|kilobytes|kilobyte',
  MEGABYTES: 'mb|mib|megabytes|megabyte',
  GIGABYTES: 'gb|gib|gigabytes|gigabyte',
  TAKE: 'take|takes|occupy|occupies|use|uses|need|needs|take up|takes up|weigh|consume|consumes|have|has',
  TAG: 'tag|tags|tagged|label|labels|tagged with|tagged as|with tag|labelled with|marked|marked as|marked with|carrying the tag|carry the tag|with the tag|with the label|label of|tagged by|the tag|a tag|a label|the label',
  VERSIONS: 'versions|version|revisions',
  MORE: 'more than|greater than|larger than|bigger than|over|above|exceeding|>|at over|longer than|higher than|beyond|bigger|larger|greater|more|upwards of|in excess of|exceeds|exceed|that exceed|surpassing|surpasses|surpass|in excess|strictly more than|strictly greater than|bigger in size than',
  LESS: 'less than|fewer than|smaller than|under|below|<|lower than|shorter than|smaller|fewer|less|strictly less than|strictly fewer than|strictly below',
  AT_LEAST:
    'at least|no less than|no fewer than|not less than|not fewer than|>=|≥|minimum|a minimum of|no smaller than|not below|not under|not smaller than',
  AT_MOST:
    'at most|no more than|not more than|<=|≤|up to|a maximum of|not larger than|not bigger than|not exceeding|no larger than|no bigger than|no greater than|not over|not above|no longer than|not exceed',
  EXACTLY: 'exactly|precisely|equal|is equal to|are equal to|equal to|equals|just|=|is',
  NAME: 'name|names',
  CONTAINS:
    'contains|containing|contain|including|include|includes|with|like|matching|has|have|holding|hold|holds|which contain|that contain|matches|match|contained|to contain|featuring|feature|features|carry|carries|with any|with some|include any|with values',
  BEGINS:
    'begins with|begin with|starts with|start with|starting with|beginning with|starts|begins|beginning|starting|start|begin|prefixed with|with the prefix|with prefix|that start with|which start with|beginning in|starting in|begin in|start in|prefix|the prefix|with a prefix of',
  ENDS: 'ends with|end with|ending with|ends in|ending in|end in|ends|end|ending|suffixed with|with the suffix|with suffix|that end in|that end with|finishing with|finishing in|suffix|the suffix|finish with|finish in',
  ABOUT: `about|mentioning|related to|mentions|mention|describing|regarding|concerning|described as|with description|whose description contains|whose description mentions|for|from|matching|
    containing|that mention|which mention|described by|to do with|dealing with|on the topic of|whose description includes|with a description containing|with the word|with the words|containing the word|called something like`,
  IN_NAME:
    'in its name|in their name|in their names|in the name|in name|in the names|in its names|as part of the name|as part of their name',
  REL: 'written in|that|which|who|whose|where|with|having|of|being|are|is|have|has|were|was|do|did',
  AFTER: 'after|since|later than|newer than|from after|past|starting|starting from|younger than',
  BEFORE: 'before|until|till|prior to|earlier than|older than|up to',
  DAY: 'on|from|at|in|during|within|over|of',
  ONWARD: 'on|onward|onwards|and later|or later',
  TODAY: 'today|this day',
  YESTERDAY: 'yesterday',
  BEFORE_YESTERDAY: 'the day before yesterday|day before yesterday',
  THIS_WEEK: 'this week|the current week|current week',
  LAST_WEEK: 'last week|the previous week|previous week|the week before|last calendar week',
  PAST_WEEK:
    'in the last week|in the past week|within the last week|within the past week|over the last week|over the past week|the past week|past week|during the last week|during the past week',
  THIS_MONTH: 'this month|the current month|current month',
  LAST_MONTH: 'last month|the previous month|previous month',
  PAST_MONTH:
    'in the last month|in the past month|within the last month|over the last month|over the past month|the past month|past month|during the past month',
  THIS_YEAR: 'this year|the current year|current year',
  LAST_YEAR: 'last year|the previous year|previous year',
  PAST: 'last|past|previous',
  AGO: 'ago',
  DAYS: 'days|day',
  WEEKS: 'weeks|week',
  MONTHS: 'months|month',
  ANYWHERE: 'anywhere|in any tensor|in any of them|in any of the tensors|somewhere|in the directory|in any array',
  /** Behind the number of a month and of a day in Chinese. */
  MONTH_SIGN: '',
  /** Names of months and of days, so that Chinese is cut there. */
  CALENDAR_NAME: '',
  DAY_SIGN: '',
  NEWEST:
    'newest|latest|most recent|last|most recently uploaded|most recently created|last uploaded|most recently added|recently uploaded|most recently|latest of all|last of all|freshest|very last|lately|recently added|youngest',
  OLDEST: 'oldest|earliest|first|first uploaded|first of all|very first|the earliest|least recent',
  LARGEST:
    'largest|biggest|longest|most elements|with the most elements|has the most elements|have the most elements|largest number of elements|greatest',
  MOST: 'most|the most|greatest number of|largest number of|highest number of',
  SMALLEST: 'smallest|tiniest|shortest|fewest elements|with the fewest elements|has the fewest elements',
  MADE_BY:
    'made by|produced by|created by|generated by|computed by|output by|come from|came from|outputs of|results of|made with|produced with|that came from|made using|calculated by',
  MADE_FROM:
    'made from|derived from|produced from|created from|computed from|generated from|based on|made out of|calculated from|depends on|depend on|descend from|descended from|come from|came from|results from|made of',
  ORIGIN:
    'where does|where did|come from|comes from|came from|origin|lineage|provenance|history|where|origin of|lineage of|ancestry|source|parents of|parent of|parents|parent|ancestors of|ancestor of|sources of|source of|ancestors',
  HOW_MADE:
    'how was|how were|made|created|produced|computed|generated|who made|which model made|what made|which model produced|what produced|which model created|what created|which model generated',
  INPUTS:
    'inputs|input|arguments|parameters|input keys|keys|input names|input tensors|input key|argument|names of inputs|input parameters|input arguments|named inputs|input variables',
  NEED_INPUT:
    'need|needs|expect|expects|take|takes|require|requires|want|wants|accept|accepts|read|reads|have|has|use|uses|be given|be fed|get|expecting|needed by|required by|used by',
  ROLE: 'role|key|input|argument|parameter|keyword|inputs',
  CODE: 'source of|code of|source code of|code|source|source code|program|python code|javascript code|any code|source code in it|code in it|executable code',
  WEIGHTS: 'weights|weight',
  ONLY: 'only|just|solely|nothing but',
  PYTHON: 'use python|uses python|using python|need python|python',
  JAVASCRIPT: 'use javascript|uses javascript|using javascript|in javascript|javascript|js',
  VALUES:
    'values|value|contents|content|numbers|data|elements|entries|what is in|what is inside|contains|contain|contained|actual values|raw values|hold|holds|what does it contain|number',
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
    'minimum|min|smallest value|lowest value|least value|minimum value|min value|smallest number|smallest element|lowest|smallest|lowest number|bottom value|smallest entry|lowest entry|lowest element|least|minimal value|minimal',
  MAXIMUM:
    'biggest number|greatest number|biggest element|greatest element|maximum|max|largest value|highest value|greatest value|biggest value|maximum value|max value|largest number|largest element|highest|peak|largest|biggest|highest number|top value|largest single value|maximal value|largest entry|highest entry|greatest|biggest entry|highest element|maximal',
  MEAN: 'mean|average|mean value|average value|avg|arithmetic mean|average out|means',
  MEDIAN: 'median|median value',
  RANGE: 'range|value range|range of values|minimum and maximum|min and max',
  SUM: 'sum|total|sum of all values|total sum|sum total|sum of values|sum of all elements|sum of elements|sum up|add up|total up|summed up|added up|grand total|totals',
  DEVIATION: 'standard deviation|std|stddev|std dev|deviation|standard dev|spread|standard deviations|sd',
  STATISTICS:
    'statistics|stats|figures|statistical summary|summary statistics|descriptive statistics|summary of statistics|statistic|basic statistics|basic stats|summary stats|quick stats|key figures|key statistics|main statistics|overall statistics|some statistics|some stats|all statistics|statistical figures|usual statistics|usual stats|statistical overview|basic figures|key stats',
  NEGATIVE:
    'negative|negatives|below zero|smaller than zero|less than zero|negative values|negative numbers|negative value|negative number|negative elements|negative entries|under zero',
  POSITIVE:
    'positive|positives|above zero|greater than zero|positive values|positive numbers|positive value|positive number|positive elements|larger than zero|over zero',
  ZERO: 'zero|zeros|zeroes|zero values|zero value|zero entries|zero elements|0s|zero-valued|equal to zero|exactly zero|zeroes in|equal zero',
  NAN: 'nan|nans|not a number|nan values|nan value|missing values|missing value|nan entries|missing|missing entries|missing readings|not numbers',
  INFINITE: 'infinite|infinity|infinities|inf|infs|infinite values|infinite value|inf values',
  COMPARE:
    'changed between|what changed between|changes between|how different are|how different is|how different|compare|comparison|compare between|difference between|differences between|difference|differences|differ|differs|compared|comparison of|comparison between|diff|diff between|difference of',
  SAME: 'same|equal|identical|alike|match|matching|the same|equal to|identical to|same as|equals|as|agree|coincide|just as|equally|of equal|equal in|identical in|share|shares',
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
    'larger|bigger|longer|larger than|bigger than|longer than|more elements|more elements than|greater|greater than|higher|higher than|more|more values|more values than|more entries|more entries than|more numbers|higher on the whole|more than|larger size',
  SMALLER:
    'smaller|shorter|smaller than|shorter than|fewer elements|fewer elements than|lower|lower than|less|fewer|fewer values|fewer values than|fewer entries|less elements|less values|fewer entries than|less than|fewer than',
  DTYPE_NAME: STORED_DTYPES.join('|'),
  INTEGER: 'int|ints|integer|integers|whole number',
  UNSIGNED: 'unsigned|uint|uints|unsigned integer|unsigned int',
  SIGNED: 'signed|signed integer|signed int',
  FLOAT: 'float|floats|floating point|floating-point|floating|real|decimal|real-valued|float-valued',
  DOUBLE: 'double|doubles|double precision|double-precision',
  SINGLE: 'single precision|single-precision',
  HALF: 'half precision|half-precision',
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
  BEYOND: `if|unless|tomorrow|twice|thrice|times|again|sorted|ordered|similar|until|while|because|why|how|should|must|might|when|where|similarly|half|quarter|maybe|instead|only if|
    whenever|every day|daily|later|soon|already|would happen|train|joke|weather|poem|who|whom|sort|order|group|grouped|alphabetically|descending|ascending|rather than|random|approximately|about as`,
  WANT: 'i want|want|i would like|would like|like|i need|need',
  AGAIN: 'again|once more|one more time|another time|once again|a second time',
  TIMES: 'times',
  TWICE: 'twice|two times',
  THRICE: 'thrice',
  IN_A_ROW:
    'in a row|in sequence|in succession|successively|one after another|one after the other|consecutively|repeatedly|back to back|each time on the previous result|each time on the result|each time on the last result|always on the previous result|each on the previous result|feeding each result back in|on its own output|on its own result',
  TOGETHER: 'together|up|element by element|elementwise|element-wise',
  ASK_OUTPUT:
    'what comes out if|what comes out when|what do i get if|what do i get when|what do we get if|what do we get when|what does it give if|what comes out after|what is the result if|what is the result when|what is the output if|what is the output when',
  WORK: 'double|doubled|add|sum|brighten|brightened|enhance|enhanced|normalize|normalise|normalized|normalised|added|summed',
  TRUE: 'true|trues|true values|true value|true entries|true ones',
  FALSE: 'false|falses|false values|false value|false entries|untrue',
  ON_AVERAGE:
    'on average|in average|by average|on the average|by mean|in the mean|in terms of mean|average-wise|by their mean|by their average',
  SIZE: 'size',
  MEMORY: 'memory|space|storage|room|disk space|ram|memory footprint|bytes',
  BY_MEMORY:
    'by memory|in memory|by bytes|by size in bytes|in terms of memory|in terms of bytes|memory-wise|by memory use|by memory usage|by storage|in storage|by number of bytes|by space|by memory size|by size in memory|by byte size|by bytes used',
  ROW: 'row|rows|line',
  COLUMN: 'column|columns|col',
  INDEX:
    'index|position|place|slot|offset|at index|at position|in position|at place|at offset|at the index|at the position',
  FROM_ZERO:
    'counting from zero|counted from zero|counting from 0|counted from 0|zero-based|0-based|starting at zero|starting from zero|starting at 0|starting from 0|zero based|zero-indexed|0-indexed|if you count from zero|when counting from zero|indexed from zero|indexed from 0|index starts at zero|index starts at 0',
  FROM_ONE:
    'counting from one|counted from one|counting from 1|counted from 1|one-based|1-based|starting at one|starting at 1|starting from one|starting from 1|one based',
  SITS: 'sits|stands|lies|is located|occurs|appears|located|sit|stand|lie|occur|appear|found|comes|is stored|is found|turn up|show up|shows up|turns up|be found',
  DIRECTLY:
    'another tensor|another one|other tensors|other tensor|directly|by hand|by a model|by any model|something else|anything else|by me|as is|from anything|from another tensor|from something|from other tensors|from anything else|from something else|from a model|by some model|was it',
  HOW_IS: 'how is|how are|how was|how were',
  HAS_VALUE: 'value|number|entry|id|figure',
  SAME_COUNT:
    'the same length|the same number of elements|the same number of values|the same count|as many elements|as many values|as many|same number of elements|same number of values|same length|equally long|equally large|equally big|same amount of values|same element count',
  OR_MORE: 'or more|or above|or over|or greater|or larger|or higher|and more|and above|and up|and over',
  OR_LESS: 'or less|or fewer|or below|or under|or smaller|or lower|and below|and less',
  INCLUSIVE: 'inclusive|both included|both inclusive|inclusively',
  TOP: 'top',
  LEAST: 'fewest|least|the fewest|the least|smallest number of|lowest number of',
  CHILDREN: 'children of|descendants of|offspring of|child of|descendant of|children|descendants',
  USED: 'used for anything|used for something|been used for anything|been used for something|been used|ever been used|been run|ever been run|been used yet|been used for anything yet|been run yet|been used at all|been applied|been run on anything|been run on anything yet|been run on something|been used on anything|been applied to anything|been applied to anything yet',
  DUMP: 'dump|print|print out|write out|spit out|give me everything in|give everything in|show me everything in|show everything in|print everything in|give me all of|show me all of|print all of|list everything in|full contents of|entire contents of|whole contents of|complete contents of',
  ENTIRELY:
    'entirely|only|nothing but|exclusively|made up entirely|made up only|consisting only|consisting entirely|consist only|consist entirely|consists only|consists entirely|completely|solely|purely|composed entirely|filled entirely|composed only|all|made entirely|that are all|which are all',
  GOES: 'goes into|go into|goes through|go through|should go into|should go through|shall go into|shall go through|must go through|must go into|has to go through|have to go through|is fed into|is fed to|are fed into|gets fed into|is passed to|is passed into|is sent to|is sent through|should be fed into|should be sent through|should be passed to|should be run through|is to be run through|gets put through|goes to|should go to',
  SEPARATELY:
    'separately|individually|one by one|each separately|each on its own|one at a time|each individually|each in turn|independently|in two separate runs|each by itself|each alone',
  YEAR: 'year|the year',
  EITHER: 'either',
  /** What stands for a noun that was named before: "except the float32 ones". */
  ONES: 'ones|those|the ones|those that are|all those',
  /** A verb with "to it" inside, in Spanish and French. */
  APPLY_IT: '',
  /** "With no runs": what must not be done. */
  RESULTING: 'resulting',
  HOW_OLD: 'how old is|how old are|how old|age of|the age of',
  UNTAGGED: 'untagged|unlabelled|unlabeled|tagless',
  LANGUAGE:
    'language|programming language|what language|which language|what programming language|which programming language',
  EXCEPT:
    'except|except for|excepting|excluding|apart from|other than|besides|aside from|with the exception of|leaving out|leave out|minus|skipping|skip|save for',
  RUNNABLE:
    'runnable|can run|can i run|can we run|i can run|we can run|can be run|can be executed|executable|can actually run|can i actually run',
  /** Where and when results are not stored: "save it to disk", "save it later". */
  ELSEWHERE: 'disk|disc|file|files|folder|csv|drive|cloud|later|tomorrow',
} as const;

export type Concept = keyof typeof english;
