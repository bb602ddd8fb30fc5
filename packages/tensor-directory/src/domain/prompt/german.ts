import type { Words } from './lexicon.ts';

export const german: Words = {
  FILLER: `überhaupt|der|die|das|den|dem|des|ein|eine|einen|einem|einer|eines|mein|meine|meinen|meinem|unser|unsere|bitte|kannst du|könntest du|können sie|könnten sie|würdest du|kann ich|ich|wir|du|mir|uns|ich möchte|ich will|ich würde gerne|wir möchten|hallo|hi|hey|guten tag|ok|okay|jetzt|nun|mal|doch|danke|vielen dank|danke schön|für mich|gerade|derzeit|aktuell|beide|beiden|
    ?|!|zu|einmal|gern|gerne|neuen|ganzen|eigentlich|also|denn|kurz|schnell|im verzeichnis|es|mir bitte|magst du|würden sie|lass uns|einfach|ich hätte gern|ich hätte gerne|ich bräuchte|kannst du mir|kannst du bitte|so|irgendwo|irgendein|irgendeine|irgendeinen|meiner|meines|unserer|unseren|unserem|dir|deine|deiner|sich|jeweils|grad|bei uns|in meinem verzeichnis|moin|servus|komplett|sie|bisher|eben|halt|übrigens|bräuchte|danke dir|danke vorab|danke im voraus|vielen dank im voraus|besten dank|dankeschön|bitteschön|bitte schön|bitte sehr|mal eben|mal kurz|mal schnell|hallo zusammen|guten morgen|guten abend|wäre nett|wärst du so nett|sei so gut|wenn möglich|wenn es geht|kurze frage|irgendwie|hätte gern|mir mal|einmal bitte|nochmals danke|bis jetzt|hätte ich gern|sag mir bitte`,
  SHOW: `zeig|zeige|zeigen|finde|find|finden|suche|such|suchen|suche nach|such nach|gib|gib mir|hole|hol|lade|laden|öffne|öffnen|liste|auflisten|beschreibe|beschreib|beschreiben|sag|sage|sag mir|
    nenne|nenn|nennen|lies|drucke|ausgeben|anzeigen|zeig mir|schau nach|prüfe|erzähl|erzähle|erzähl mir von|brauche|ich brauche|such mir|liste auf|berechne|berechnen|rechne|ermittle|wissen|nimm|verrate|verrat|gib aus|gib mir aus|liste mir|zeig mal|zeig mir mal|schau|schau dir|stelle dar|bestimme|ermitteln|bestimmen|erklär|erkläre|interessiert|weißt du|sag mal|ausrechnen|rechne aus|zähl auf|zähle auf|such heraus|such raus|gesucht`,
  WHAT: 'was|welche von beiden|welcher von beiden|welches von beiden|welche|welcher|welches|welchen|welchem|wie lautet|wie lauten|was für|wie|wie ist|wie sind|welch|wie war',
  IS: 'ist|sind|war|waren|wurde|wurden|sei|beträgt|lautet|lauten|liegt bei|steht|ergibt|wäre|betrug|sind es|ist es|heißt|heißen',
  DOES: 'macht|tut|bewirkt',
  HAVE: 'hat|haben|hatte|besitzt|besitzen|habe|trägt|tragen|führt|aufweist|aufweisen|weist auf|weisen auf|habt|hätte',
  EXIST:
    'stecken|befinden sich|steckt|drinnen|geschrieben|gibt es|existiert|existieren|vorhanden|gespeichert|habe ich|hast du|haben wir|liegen|liegt|da|hier|im verzeichnis|insgesamt|verfügbar|es gibt|gibt|gibts|gibt es irgendwelche|sind da|ist da|liegen vor|liegt vor|abgelegt|abgespeichert|haben wir da|die wir haben|die es gibt|die ich habe|finden sich|findet sich|kommt vor|kommen vor|vorkommen|vorkommt|gelagert|enthalten|auffindbar|im bestand',
  OF: 'von|vom|für|in|im|aus|zu|zum|über|innerhalb von|laut|unter|bei|beim|am|an|auf|enthalten in|des|im tensor',
  ON: 'noch auf|auf|an|mit|für|über|bei|am|auf dem|auf den|auf die|auf das|durch|in|im|ans|aufs|auf jeden|zu',
  WITH: 'mit|durch|mittels|in|an|mithilfe von|mit hilfe von|über|per|ins|in das|zum|zu|via|dem|ans',
  USING:
    'mit|mittels|mithilfe von|mit hilfe von|benutze|verwende|nutze|per|via|unter verwendung von|mit dem modell|durch',
  AS: 'als|für',
  AND: 'und|sowie|und auch|und ebenso|und zusätzlich',
  OR: 'oder',
  THEN: 'dann|und dann|danach|anschließend|und danach|und anschließend|hinterher|zum schluss|auch|außerdem|und außerdem|als nächstes|daraufhin|zuerst|zunächst|erst|als erstes|im anschluss|nachher|darauf|hiernach|als zweites|zuletzt|am ende|abschließend|schließlich|ebenso|erstens|zweitens|und zuletzt|und zum schluss|im zweiten schritt|im ersten schritt|danach noch|und am ende|und schließlich|als letztes noch|sodann|im nächsten schritt',
  NOT: 'nichts|nicht|kein|keine|keinen|keiner|nie|niemals|ohne|keines|weder|noch|keinerlei|nirgends|bloß nicht|auf keinen fall|ohne irgendwelche|fehlt|fehlen',
  BUT: 'aber|sondern',
  ALWAYS: 'immer|überall|stets|an jeder stelle|jederzeit',
  HIGHER: 'größer als|höher als|über|mehr als|wärmer als',
  LOWER: 'kleiner als|niedriger als|unter|weniger als|kälter als',
  MINUS: 'minus|-',
  WARMEST: 'am wärmsten|wärmste|am heißesten',
  COLDEST: 'am kältesten|kälteste',
  BEST: 'beste|bester|besten|bestes',
  WORST: 'schlechteste|schlechtester|schlechtesten|schlechtestes',
  THAN: 'als',
  RUN: 'führe|führ|führen|wende|anwenden|starte|lass|lasse|benutze|verwende|nutze|ausführen|wenden|rufe|evaluiere|werte|starten|lassen|ausgeführt|angewendet|angewandt|laufen|mach|mache|appliziere|setze|einsetzen|wendest|führst|lässt|anzuwenden|auszuführen|laufen lassen|verwenden|benutzen|nutzen|durchführen|führe durch|loslassen|losgelassen|laufenlassen|lass laufen',
  FEED: 'rechne|wandle|wandel|konvertiere|umrechnen|umwandeln|gib|füttere|schicke|verarbeite|transformiere|jage|sende|leite|verarbeiten|speise|steck|stecke|schick|schicken|geben|jag|übergib|übergebe|füttern|leiten|reiche|gebe|lass|lasse|nimm|jagen|gejagt|geschickt|durchgejagt|loslassen|stecken|schieben|schieb|schiebe|gegeben|schleuse|werfen|wirf|durchjagen|durchschicken|verarbeitet|laufen lassen|durchlaufen lassen',
  PREDICT: 'vorhersage|inferenz|sage|berechne|inferenz aus|eine inferenz|eine vorhersage',
  PROCESS: 'verarbeite|verarbeiten|um|transformiere|zu verarbeiten|auf|berechnen|zu berechnen|laufen',
  PARTICLE:
    'aus|an|laufen|ab|durch|auf|ein|vorher|ausführen|anwenden|hinein|um|rechnen|laufen lassen|anzuwenden|auszuführen|angewendet|ausgeführt|weiter|zu|los|drüber|rein|über|fest|lassen|geben|schicken',
  CALL: 'nenne|nenn|speichere|speicher|benenne|bezeichne|sichere|lege|schreibe|nennen|speichern|taufe|heißen|heiße|ablegen|abspeichern|speicherst|nennst|benennen|abzuspeichern|speichere ab|leg|merke|gespeichert|sichern|ab|nennt',
  OUTPUT:
    'ergebnis|ergebnisse|ausgabe|ausgaben|resultat|resultate|output|das ergebnis|dem ergebnis|ausgabetensor|ergebnistensor|letzte ergebnis|endergebnis|letztes ergebnis|das resultat|ergebnisses|zwischenergebnis|was herauskommt|was rauskommt|was dabei herauskommt|was dabei rauskommt|herausgekommene|dessen ergebnis|das ergebnis davon|ergebnis davon|vorige ergebnis|vorherige ergebnis|vorigen ergebnis|vorherigen ergebnis|letzten ergebnis|das ganze|ganze|gesamte',
  EQUALS: '=|:|gleich|ist',
  COLON: ':',
  ON_IT: 'darauf|damit|daran',
  INTO: 'als|unter|unter dem namen|unter namen|in|mit dem namen|soll|heißen|namens|=|:|ab|soll heißen|heißt|mit namen|den namen|dem namen|unterm namen|name|werden|bekommen',
  IT: 'es|ihn|ihm|sie|diese|diesen|diesem|dessen|deren|ihnen|seine|seinen|davon|darauf|damit|daraus|das|dies',
  THEM: 'sie|diese|diesen|ihnen|deren|ergebnisse|ergebnissen',
  NAMED:
    'namens|genannt|mit dem namen|mit namen|mit name|der heißt|das heißt|heißt|mit der uuid|mit der id|benannt|dessen name ist|bezeichnet als|name',
  TENSOR: 'tensor|tensors|array|feld',
  TENSORS: 'tensoren|tensor|arrays|tensors|felder',
  MODEL: 'modell|modells|model|netz',
  MODELS: 'modelle|modellen|modell|models|netze',
  ITEMS: 'alles|etwas|einträge|objekte|irgendetwas|irgendwas',
  VECTORS: 'vektoren|vektor|eindimensionale|eindimensionalen|1d|eindimensional|eindimensionaler',
  MATRICES: 'matrizen|matrix|zweidimensionale|zweidimensionalen|2d|zweidimensional|zweidimensionaler|zweidimensionales',
  SCALARS: 'skalare|skalar',
  ALL: 'alle|allen|jeden|jedem|jede|jedes|jeder|sämtliche|sämtlichen|irgendwelche|all|aller',
  SHAPE: 'form|shape|gestalt|dimensionen|formen|die form',
  DTYPE: 'datentyp|typ|dtype|datentypen|elementtyp|typs|datentyps|zahlentyp|zahlenformat',
  DETAILS:
    'details|einzelheiten|informationen|beschreibung|metadaten|größe|uuid|id|infos|angaben|datum|name|daten über|eigenschaften',
  CREATED:
    'erstellt|hochgeladen|gespeichert|angelegt|erzeugt|importiert|hochgeladene|hochgeladenen|hochgeladener|hinzugefügt|abgelegt|hochgeladenes|geladen|eingestellt|dazugekommen',
  WHEN: 'wann',
  HOW_MANY:
    'an wie vielen|in wie vielen|bei wie vielen|wie viele|wieviele|wie viel|wieviel|anzahl|anzahl der|die anzahl der|zähle|zahl der|anzahl an|anzahl von|zähl',
  HOW_BIG: 'wie groß|wie lang|wie gross|wie hoch',
  ELEMENTS: 'elemente|elementen|werte|werten|einträge|einträgen|zahlen|element|wert|elementanzahl',
  DIMENSIONS: 'dimensionen|dimension|achsen|achse|rang|dimensionale|dimensionalen',
  TAKE: 'belegt|braucht|hat|benötigt|verbraucht|umfasst|haben|groß|belegen|brauchen|benötigen|verbrauchen|umfassen',
  TAG: 'tag|tags|etikett|etiketten|markiert|getaggt|markiert mit|getaggt mit|mit dem tag|mit tag|markierung|schlagwort|schlagwörter|schlagworte|mit dem schlagwort|markiert als|das tag|dem tag|mit dem etikett|mit dem label|das label|label|tag namens|verschlagwortet|verschlagwortet mit|versehen mit dem tag|gekennzeichnet mit|den tag',
  VERSIONS: 'versionen|version',
  MORE: 'mehr als|größer als|grösser als|über|länger als|höher als|oberhalb von|größer|mehr|mehr wie|übersteigt|überschreitet|überschreiten',
  LESS: 'weniger als|kleiner als|unter|kürzer als|niedriger als|unterhalb von|kleiner|weniger|unterschreitet|unterschreiten',
  AT_LEAST: 'mindestens|wenigstens|nicht weniger als|minimal',
  AT_MOST: 'höchstens|maximal|nicht mehr als|bis zu',
  EXACTLY: 'genau|exakt|gleich',
  NAME: 'name|namen|namens',
  CONTAINS:
    'enthält|enthalten|enthaltend|beinhaltet|beinhalten|mit|umfasst|vorkommt|wie|hat|haben|vorkommen|drin|steckt|stecken|umfassen|drin haben|besitzen|besitzt|aufweisen|enthaltenen|belegen|belegt',
  BEGINS:
    'fangen mit|fängt mit|beginnt|beginnen|anfängt|anfangen|startet|beginnt mit|beginnen mit|anfangen mit|starten mit|beginnend mit|fängt an mit|startet mit|losgeht|anfangend|anfangend mit|fängt an|fangen an|fängt|fangen|starten|beginnend',
  ENDS: 'endet|enden|aufhört|endet mit|enden mit|endet auf|enden auf|endend mit|endend auf|aufhören|endend|endung|mit der endung|der endung|hört auf',
  ABOUT:
    'über|zu|zum thema|die erwähnen|erwähnen|mit beschreibung|beschreibung enthält|mit der beschreibung|bezüglich|betreffend|von|aus|zum|deren beschreibung enthält',
  IN_NAME: 'im namen|in ihrem namen|im name|in dem namen',
  REL: 'die|der|das|deren|dessen|welche|welches|welcher|mit|vom|von|sind|ist|haben|hat|dem|wurden|wurde|dass',
  AFTER: 'nach|seit|nach dem|ab|ab dem|seit dem|neuer als|jünger als|später als',
  BEFORE: 'vor|vor dem|bis|älter als|früher als|bis zum',
  DAY: 'am|vom|an|im|in|aus|von|während|zum',
  TODAY: 'heute',
  YESTERDAY: 'gestern',
  BEFORE_YESTERDAY: 'vorgestern',
  THIS_WEEK: 'diese woche|dieser woche',
  LAST_WEEK: 'letzte woche|vorige woche|letzter woche|voriger woche|vergangene woche|der vorigen woche',
  PAST_WEEK: 'in der letzten woche|in der vergangenen woche|der letzten woche|der vergangenen woche',
  THIS_MONTH: 'diesen monat|diesem monat',
  LAST_MONTH:
    'letzten monat|letztem monat|vorigen monat|vorigem monat|im letzten monat|im vorigen monat|vergangenen monat',
  THIS_YEAR: 'dieses jahr|diesem jahr',
  LAST_YEAR: 'letztes jahr|letztem jahr|im letzten jahr|voriges jahr|vorigen jahr|vergangenes jahr',
  PAST: 'letzten|letzter|letzte|vergangenen|vergangener|vergangene',
  AGO: 'vor',
  DAYS: 'tage|tagen|tag|tags',
  WEEKS: 'wochen|woche',
  MONTHS: 'monate|monaten|monat',
  ANYWHERE: 'irgendwo|in irgendeinem tensor',
  NEWEST:
    'neueste|neuester|neuesten|neuestes|jüngste|jüngsten|letzte|letzten|zuletzt hochgeladene|zuletzt hochgeladenen|aktuellste|aktuellsten|neuste|neusten|zuletzt|als letztes|als letzter|zuletzt hochgeladen|letzter|am neuesten|jüngster|neuster|als letzten|am jüngsten|zuletzt gespeicherte|letztes',
  OLDEST:
    'älteste|ältester|ältesten|erste|ältestes|zuerst|als erstes|als erster|zuerst hochgeladen|zuerst hochgeladene|am ältesten|erster|zuallererst|als ersten|zuerst hochgeladener|erstes',
  LARGEST:
    'größte|größter|größten|längste|größtes|meisten elemente|die meisten elemente|am größten|am meisten elemente|die meisten werte|meisten werte|meiste elemente|größtem',
  MOST: 'meisten|die meisten|am meisten|den meisten|die größte anzahl|meiste|den größten|am größten',
  SMALLEST:
    'kleinste|kleinster|kleinsten|kürzeste|kleinstes|wenigsten elemente|am kleinsten|am wenigsten elemente|die wenigsten werte|wenigsten werte',
  MADE_BY:
    'erzeugt von|erstellt von|gemacht von|produziert von|berechnet von|von|vom modell|erzeugt durch|erzeugt mit|mit|von dem modell|mit dem modell|durch|mithilfe von|erzeugt|gemacht|berechnet|stammen von',
  MADE_FROM:
    'aus|erzeugt aus|abgeleitet von|entstanden aus|berechnet aus|erstellt aus|gemacht aus|basierend auf|beruhen auf|aus erzeugt|stammen von|stammen aus|hervorgegangen aus|gewonnen aus|wurde aus|hergeleitet aus|entstanden|erzeugt|abgeleitet|gemacht|hervorgegangen|berechnet|wurden aus|ging hervor',
  ORIGIN:
    'woher|kommt|stammt|herkunft|ursprung|abstammung|woher kommt|woher stammt|herkunft von|wie entstand|woraus|wovon|aus was|wie kam|zustande|kommt her|stammt her|her|entstehung|entstanden|geschichte|eltern von|vorfahren von|vorgänger von|quelle von|ursprung von',
  HOW_MADE:
    'wie wurde|wie entstand|entstanden|erzeugt|gemacht|erstellt|wodurch|mit welchem modell|mit welchem modell wurde|von welchem modell|hervorgebracht|produziert|wer hat|berechnet|durch welches modell|von welchem modell wurde|womit wurde|woraus wurde|aus welchem tensor|aus welchem tensor wurde|aus welchem tensor ist',
  INPUTS:
    'eingaben|eingabe|inputs|input|eingabeschlüssel|argumente|parameter|eingabetensoren|eingänge|eingabewerte|eingangsdaten|eingabenamen|eingabeparameter',
  NEED_INPUT:
    'braucht|erwartet|benötigt|verlangt|hat|nimmt|liest|brauchen|erwarten|benötigen|will|haben|bekommt|akzeptiert|möchte|verwendet',
  ROLE: 'rolle|schlüssel|eingabe|input|parameter|argument',
  CODE: 'code|quelltext|quellcode|programm|programmcode|python-code|irgendwelchen code',
  WEIGHTS: 'gewichte|gewichten|gewicht',
  ONLY: 'nur|ausschließlich|bloß',
  VALUES: 'werte|werten|wert|inhalt|zahlen|daten|enthält|steht|elemente|was steht|was enthält|einträge|drin',
  WHERE:
    'wo|an welcher stelle|an welcher position|an welchem index|welche position|welcher index|welchen index|position von|index von|stelle|position|index',
  MEDIAN: 'median|medianwert|zentralwert',
  RANGE: 'wertebereich|spannweite|bereich',
  BY_SIZE: 'nach größe sortiert|nach größe|der größe nach|sortiert nach größe|nach der größe',
  BY_DATE:
    'nach datum sortiert|nach datum|sortiert nach datum|chronologisch|nach alter|sortiert nach alter|nach dem datum',
  BY_NAME:
    'nach name sortiert|nach namen sortiert|sortiert nach name|sortiert nach namen|alphabetisch|alphabetisch sortiert|nach namen',
  MAKE: 'erzeugt|gemacht|erstellt|produziert|berechnet',
  HOW_TO_USE:
    'wie benutze ich|wie verwende ich|wie nutze ich|wie benutzt man|wie verwendet man|wie starte ich|wie rufe ich',
  HELP: 'hilfe|was kannst du|was kann ich fragen|was kannst du tun|hilf',
  TRANSFORM:
    'transponiere|normalisiere|multipliziere|dividiere|subtrahiere|verkette|skaliere|transponieren|normalisieren|multiplizieren',
  FIRST: 'erste|ersten|erster|erstes|vordersten|allererste|vorderste',
  LAST: 'letzte|letzten|letzter|letztes|hintersten|allerletzte|letztem',
  MINIMUM:
    'minimum|kleinster wert|kleinste wert|kleinsten wert|niedrigster wert|minimalwert|min|niedrigsten wert|minimums|kleinste zahl|niedrigste wert|geringster wert|kleinste|tiefste wert|kleinster|kleinstes|niedrigster|niedrigstes|niedrigste|kleinsten|niedrigsten|minimaler wert|minimale wert|minimalen wert|kleinstes element|niedrigste zahl|kleinste element|tiefster wert|tiefstwert|kleinster eintrag|minimaler|tiefste|tiefster',
  MAXIMUM:
    'maximum|größter wert|größte wert|größten wert|höchster wert|höchsten wert|höchste wert|maximalwert|max|maximums|größte zahl|höchstwert|größte|höchste|größter|größtes|höchster|höchstes|größten|höchsten|maximaler wert|maximale wert|maximalen wert|größtes element|höchste zahl|größte element|maximaler|spitzenwert|größter eintrag|größte eintrag',
  MEAN: 'mittelwert|durchschnitt|mittel|arithmetisches mittel|mittelwerts|durchschnittswert|mittlere wert|durchschnittliche wert|durchschnittlicher wert|mittlerer wert|schnitt|mittelwerte|durchschnitts|durchschnittlichen wert',
  SUM: 'summe|gesamtsumme|summe aller werte|summe der werte|summe aller elemente|gesamtwert|aufsummiert|alles zusammen|summiere|addiert|zusammengezählt',
  DEVIATION: 'standardabweichung|streuung|standardabweichungen|stdabw|std',
  STATISTICS:
    'statistik|statistiken|kennzahlen|kennwerte|grundlegende statistik|grundlegende statistiken|statistische kennzahlen|statistische angaben|statistische werte|wichtigsten kennzahlen|statistischen kennzahlen|basisstatistik|statistische übersicht|statistik über|ein paar kennzahlen',
  NEGATIVE:
    'negative|negativen|negative werte|negativen werte|negative zahlen|negativen zahlen|negativer wert|negative zahl|negative elemente|einen negativen wert|negativ|unter null|kleiner als null|kleiner null|negativen zahl|negativer zahl|negative einträge|negativen einträge|negativem|negativer|negative zahlen drin|minuswerte',
  POSITIVE:
    'positive|positiven|positive werte|positiven werte|positive zahlen|positive zahl|positiv|über null|größer als null|größer null|positiver|positive einträge',
  ZERO: 'null|nullen|nullwerte|nullen werte|nullwert|nullstellen|gleich null|werte gleich null|genau null',
  NAN: 'nan|nans|nan-werte|nan werte|fehlende werte|fehlenden werte|fehlwerte|nan-wert|fehlende messwerte|fehlende einträge|nan-einträge|fehlende|fehlender wert',
  INFINITE: 'unendlich|unendliche|unendlichen|inf|unendliche werte|unendlichen werte|unendlichkeiten',
  COMPARE:
    'vergleiche|vergleich|vergleichen|unterschied|unterschiede|unterschied zwischen|unterschiede zwischen|differenz|differenz zwischen|unterscheiden sich|worin unterscheiden sich|vergleich von|vergleich zwischen|differenz von|gegenüber|abweichung|abweichungen|unterscheiden|unterscheidet sich|gegenüberstellen',
  SAME: 'gleich|gleiche|gleichen|dieselbe|denselben|dieselben|identisch|selbe|selben|gleich wie|gleiche wie|wie|derselbe|dasselbe|gleicher|übereinstimmen|gleiches|ebenso|genauso|genau so|identische|übereinstimmende|derselben|gleichem|demselben|desselben|identischen',
  BETWEEN: 'zwischen|von',
  LARGER:
    'größer|größere|größer als|länger|höher|größeren|höheren|höhere|mehr elemente|mehr elemente als|größeres|mehr|mehr werte|mehr werte als|höherer|größerer|mehr einträge|höher als|größeren wert',
  SMALLER:
    'kleiner|kleinere|kleiner als|kürzer|niedriger|kleineren|niedrigeren|weniger elemente|weniger|weniger werte|weniger elemente als|kleinerer|niedriger als|niedrigerer|geringer|geringere|niedrigere|kleineres',
  INTEGER: 'ganzzahlige|ganzzahligen|ganzzahlig|ganzzahl|ganzzahlen|integer|int|ganze zahlen',
  FLOAT: 'gleitkomma|fließkomma|gleitkommazahlen|float|floats|reelle|fließkommazahlen',
  BOOLEAN: 'boolesche|booleschen|boolean|bool|logische|logischen|boolescher|wahrheitswerte',
  DELETE: 'lösche|lösch|löschen|entferne|entfernen|entfern|vernichte|gelöscht',
  CHANGE: 'ändere|ändern|umbenennen|benenne um|ersetze|aktualisiere|überschreibe',
  UPLOAD: 'hochladen|lade hoch|füge hinzu|erstelle',
  EXPORT: 'exportiere|exportieren|herunterladen',
  PLOT: 'plotte|zeichne|visualisiere|diagramm',
  IMPORT: 'importiere|importieren',
  BEYOND:
    'wenn|falls|morgen|zweimal|dreimal|mal|nochmal|noch einmal|sortiert|ähnlich|ähnliche|warum|weshalb|wieso|sollte|soll ich|muss|hälfte|vielleicht|statt|witz|später|bereits|schon|wer|wo|täglich|bald|eventuell|zufällig|sortiere|jedoch|bevor|nachdem',
  WANT: 'ich möchte|ich will|möchte|will|brauche|ich brauche|hätte gern|hätte gerne|ich hätte gerne|wünsche',
  OUTPUT_NAME: 'name der ausgabe|ausgabename|name des ergebnisses|ausgabe als|ergebnis als|ergebnisname',
  AGAIN: 'nochmal|noch einmal|nochmals|erneut|wieder|ein zweites mal|abermals',
  TIMES: 'mal',
  TWICE: 'zweimal|zwei mal',
  THRICE: 'dreimal|drei mal',
  IN_A_ROW:
    'hintereinander|nacheinander|in folge|in serie|jeweils auf das vorige ergebnis|jeweils auf dem vorigen ergebnis|immer auf das vorige ergebnis|jeweils auf das letzte ergebnis|jeweils auf das ergebnis|jedes mal auf das vorige ergebnis|jeweils auf das vorherige ergebnis',
  TOGETHER: 'zusammen|miteinander|elementweise',
  ASK_OUTPUT:
    'was kommt raus wenn|was kommt heraus wenn|was kommt dabei heraus wenn|was kommt raus , wenn|was kommt heraus , wenn|was ergibt sich wenn|was ergibt sich , wenn',
  WORK: 'verdopple|verdoppeln|verdoppelt|verdoppele|addiere|addieren|addiert|summiere|summieren|aufhellen|helle|heller|normalisiere|normalisieren|normalisiert|verbessere|verbessern|standardisiere|zähle zusammen|hell|verbessert|aufgehellt|aufsummieren|zusammenzählen|zusammenrechnen|normieren|normiere|normiert|verdoppelst|zusammenaddieren|aufaddieren',
  TRUE: 'wahr|true|wahre|wahre werte|wahren werte',
  FALSE: 'falsch|false|falsche|falsche werte|falschen werte',
  ON_AVERAGE: 'im schnitt|im durchschnitt|im mittel|durchschnittlich|im mittelwert',
  SIZE: 'größe|größen|speichergröße',
  MEMORY: 'speicher|speicherplatz|platz|arbeitsspeicher|bytes',
  BY_MEMORY: 'nach speicher|nach speicherbedarf|im speicher|nach speicherplatz|nach bytes|nach speicherverbrauch',
  ROW: 'zeile|zeilen|reihe',
  COLUMN: 'spalte|spalten',
  INDEX: 'index|position|stelle|platz|an index|an position|an stelle|an der stelle|an der position|am index',
  FROM_ZERO:
    'ab null gezählt|von null gezählt|ab 0 gezählt|von null an gezählt|gezählt ab null|gezählt ab 0|nullbasiert|0-basiert|von 0 gezählt|bei null beginnend|gezählt von null|null-basiert|ab null|ab 0',
  FROM_ONE: 'ab eins gezählt|von eins gezählt|ab 1 gezählt|gezählt ab eins|gezählt ab 1|von 1 gezählt',
  SITS: 'steht|liegt|befindet sich|sitzt|kommt|kommen|stehen|vorkommt|vorkommen|vor',
  DIRECTLY:
    'direkt|aus einem anderen tensor|aus einem anderen|von hand|einem anderen tensor|von einem modell|durch ein modell|aus etwas anderem',
  HOW_IS: 'wie ist|wie sind|wie wurde|womit ist|womit sind',
  HAS_VALUE: 'wert|zahl|eintrag|nummer|kennung|id|messwert',
  SAME_COUNT: 'gleich groß|gleich viele|gleichviele|ebenso viele|gleich lang|gleich viele elemente|gleich viele werte',
  OR_MORE: 'oder mehr|oder größer|oder darüber|und mehr|und größer',
  OR_LESS: 'oder weniger|oder kleiner|oder darunter|und weniger',
  INCLUSIVE: 'einschließlich|inklusive',
  TOP: 'top',
  LEAST: 'wenigsten|die wenigsten|am wenigsten|den wenigsten|geringste',
  CHILDREN: 'nachfahren von|kinder von|nachkommen von|abkömmlinge von',
  DUMP: 'zeig mir alles in|zeig alles in|gib mir alles aus|gib alles aus|alles aus|kompletter inhalt von|ganzer inhalt von|vollständiger inhalt von',
  ENTIRELY:
    'nur|ausschließlich|vollständig|komplett|lauter|nur aus|ausschließlich aus|bestehen nur|besteht nur|bestehend aus lauter',
  GOES: 'geht in|geht durch|soll in|soll durch|gehen durch|gehen in|kommt in|sollen durch',
  SEPARATELY: 'einzeln|getrennt|separat|jeweils einzeln|jeweils getrennt|getrennt voneinander|jeweils separat',
  YEAR: 'jahr|dem jahr|jahre',
  EITHER: 'entweder',
  ONES: 'denen|diejenigen|derer|die|jene|jenen|solche|solchen',
  WHAT_FOR:
    'was macht|was tut|was bewirkt|wofür|wozu|wofür dient|wozu dient|wofür ist|zweck|der zweck von|aufgabe|gut|da|dient',
  HOW_OLD: 'wie alt ist|wie alt sind|wie alt|alter von',
  UNTAGGED: 'ungetaggt|ungetaggte|ungetaggten',
  LANGUAGE: 'in welcher sprache|welcher sprache|welche sprache|in welcher programmiersprache',
  EXCEPT: 'außer|bis auf|ausgenommen|mit ausnahme von|abgesehen von|ausser|exklusive',
  BYTES: 'bytes|byte',
  RUNNABLE:
    'ausführbar|lauffähig|kann ich ausführen|kann man ausführen|können ausgeführt werden|ausführbare|lauffähige|ausführbaren',
  ELSEWHERE: 'festplatte|datei|dateien|ordner|später|morgen',
  IF: 'falls|wenn|sofern|für den fall dass|nur wenn|nur falls',
  UNLESS: 'es sei denn|außer wenn|außer falls',
  OTHERWISE: 'sonst|andernfalls|ansonsten|wenn nicht dann',
  IF_SO: 'wenn ja|falls ja|wenn das so ist|in dem fall',
  IF_NOT: 'wenn nein|falls nein|wenn nicht|falls nicht',
  NONZERO: 'ungleich null|nicht null|von null verschieden',
  SQUARE: 'quadratisch|quadratische|quadratischen',
};
