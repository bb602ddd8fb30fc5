import { englishTraits } from './english-traits.ts';

/** English words and phrases by what they mean. Its keys are all meanings that the grammar knows. */
export const english = {
  /** Says nothing about what is asked. */
  FILLER: `the|a|an|my|our|your|this|please|kindly|can you|could you|would you|will you|can i|could i|may i|can we|i|we|you|me|us|i want to|i would like to|
    i want you to|we want to|i need to|i am trying to|i would love to|let us|let me|hi|hello|hey|ok|okay|so|now|just|simply|quickly|thanks|thank you|for me|to me|
    dear|currently|right now|both|?|!|¿|¡|{|}|kind|simply|really|actually|cheers|well|once|pls|plz|new|entire|whole|complete|full|respectively|would|will|like to|love to|
    thanks a lot|many thanks|thank you very much|in advance|if you can|if possible|if you please|good morning|good evening|good afternoon|teh|of course|thx|ty|thanks so much|thank you so much|thanks in advance|much appreciated|quick|quick question|quick one|real quick|really quick|got a sec|got a minute|got a moment|hey there|hi there|hello there|i was wondering if you could|i wonder if you could|curious|i am curious|when you get a chance|when you get the chance|when you have time|when you have a moment|when you have a minute|if you do not mind|if you would|if you could|if you have time|would you mind|do me a favour|do me a favor|in one go|be so kind|be so kind as to|would you be so kind as to|by the way|btw|out of curiosity|good day|greetings|sorry|um|uh|hmm|asap|for us|as soon as possible|so far|to date|please and thank you|need you to|i need you to|be able to|go ahead and|please go ahead and|help me|can you help me`,
  SHOW: `ls|gimme|grep|dir|dump out|looking for|am looking for|searching for|explain|show|display|get|fetch|find|give|tell|tell me about|retrieve|look up|lookup|look for|look at|search|search for|search in|locate|load|open|see|view|inspect|
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
  TENSOR: 'tensor|array|ndarray|thing',
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
    'in how many|on how many|for how many|at how many|how many|how much|count|number of|the number of|count of|total number of|count up|amount of|quantity of|how mny|hwo many|total count of',
  HOW_BIG: 'how big|how large|how long|what size',
  ELEMENTS:
    'parameters|params|weights in total|elements|element|values|entries|numbers|items|value|entry|number of elements|element count|count of elements|length|data points|items|number',
  DIMENSIONS: 'dimensions|dimension|axes|axis|dims|dim|rank|number of dimensions|ndim|dimensionality|dimensional|d',
  BYTES: 'bytes|byte|b',
  KILOBYTES: 'kb|kib|kilobytes|kilobyte',
  MEGABYTES: 'mb|mib|megabytes|megabyte',
  GIGABYTES: 'gb|gib|gigabytes|gigabyte',
  TAKE: 'take|takes|occupy|occupies|use|uses|need|needs|take up|takes up|weigh|consume|consumes|have|has',
  TAG: 'tag|tags|tagged|label|labels|tagged with|tagged as|with tag|labelled with|marked|marked as|marked with|carrying the tag|carry the tag|with the tag|with the label|label of|tagged by|the tag|a tag|a label|the label',
  ...englishTraits,
} as const;

export type Concept = keyof typeof english;
