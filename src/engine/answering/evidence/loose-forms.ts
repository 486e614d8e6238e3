import type { AnswerKind } from '../question/answer-kinds.ts'

const LETTERS = '\\p{L}{0,20}'
const END = '\\p{Ll}{0,8}'

/** What says when, or how often, without a date: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Polish. */
const TIMES = [
  'noon|midnight|midday|mornings?|afternoons?|evenings?|nights?|nightly|dawn|dusk|sunrise|sunset|today|tonight|tomorrow|yesterday|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?|hourly|immediately|always|never|often|rarely|seldom|sometimes|usually|before|after|until|till|during|since|while|when|whenever|as soon|once|twice|every|each|soon|later|now|spring|summer|autumn|winter|Christmas|Easter|weekends?|(?:week|work|holi)?days?|weeks?|months?|years?|hours?|quarters?|seasons?|end|beginning|ago',
  `${LETTERS}(?:tag|woche|monat|jahr|stunde|minute|quartal|abend|nacht|morgen|mittag)${END}|heute|gestern|täglich|wöchentlich|monatlich|jährlich|stündlich|sofort|immer|nie|oft|selten|vor|nach|bevor|nachdem|bis|während|seit|sobald|wenn|als|jede[rsnm]?|bald|später|früher|jetzt|Frühling|Sommer|Herbst|Weihnachten|Ostern|Anfang|Ende`,
  `midi|minuit|matin|soir|nuit|hier|demain|quotidien${END}|hebdomadaire${END}|mensuel${END}|annuel${END}|immédiatement|toujours|jamais|souvent|avant|après|jusqu|pendant|durant|depuis|dès|lorsqu${END}|quand|chaque|bientôt|printemps|été|automne|hiver|Noël|Pâques|jours?|semaines?|mois|ann?ées?|ans?|heures?|trimestre|début|fin`,
  `mediodía|medianoche|mañana|tarde|noche|hoy|ayer|diari${END}|semanal${END}|mensual${END}|anual${END}|siempre|nunca|antes|después|hasta|durante|desde|cuando|cada|tras|primavera|verano|otoño|invierno|Navidad|Pascua|días?|semanas?|mes(?:es)?|años?|horas?|siglos?|final|principios?|comienzos?`,
  `mezzogiorno|mezzanotte|mattin${END}|pomeriggio|sera|notte|oggi|ieri|domani|settiman${END}|mensil${END}|subito|sempre|mai|prima|dopo|fino|ogni|estate|autunno|inverno|Natale|Pasqua|giorn${END}|mes[ei]|ann[io]|or[ae]|fine|inizio`,
  `meio-dia|meia-noite|manhã|noite|hoje|ontem|amanhã|diári${END}|mensal${END}|depois|após|até|quando|verão|outono|inverno|Natal|Páscoa|dias?|mês|meses|anos?|fim|início`,
  `middag|middernacht|ochtend|avond|nacht|vandaag|gisteren|dagelijks|wekelijks|maandelijks|jaarlijks|meteen|altijd|nooit|vaak|voor|na|tot|tijdens|sinds|zodra|wanneer|elke?|lente|zomer|herfst|dag${END}|we(?:ek|ken)|maand${END}|ja(?:ar|ren)|uur|uren|einde`,
  `полдень|полночь|утр${END}|вечер${END}|ноч${END}|сегодня|вчера|завтра|еже${END}|сразу|немедленно|всегда|никогда|часто|до|после|во время|пока|когда|кажд${END}|весн${END}|лет${END}|осен${END}|зим${END}|д(?:ень|н\\p{Ll}{1,3})|недел${END}|месяц${END}|год${END}|час${END}|минут${END}|век${END}|конц${END}|начал${END}|назад`,
  `południe|północ|rano|wieczor${END}|noc${END}|dziś|dzisiaj|wczoraj|jutro|codziennie|natychmiast|zawsze|nigdy|często|przed|po|podczas|od|gdy|kiedy|każd${END}|wiosn${END}|lat${END}|jesie${END}|zim${END}|dzień|dni${END}|tydzień|tygodni${END}|miesi${END}|rok${END}|godzin${END}|końc${END}|początk${END}`,
]
/** What says how much without a number that the stricter forms know. */
const AMOUNTS = [
  'zero|none|no|nothing|free|several|many|few|some|all|both|single|double|triple|pairs?|couple|numerous|most|(?:four|six|seven|eigh|nine)teen|(?:seven|eigh|nine)ty|trillions?|quarters?|thirds?|first|only',
  `kein${END}|nichts|kostenlos|gratis|umsonst|frei|mehrere${END}|viele${END}|wenige${END}|einige${END}|alle${END}|beide${END}|${LETTERS}(?:zehn|zig|ßig|hundert|tausend)${END}|doppelt${END}|Drittel|Viertel`,
  `aucun${END}|rien|gratuit${END}|plusieurs|beaucoup|quelques|tou(?:s|tes?|t)|trente|quarante|cinquante|soixante|(?:quator|trei|quin|sei)ze|double`,
  `ningun${END}|nada|gratis|gratuit${END}|varios|varias|much[oa]s?|poc[oa]s?|tod[oa]s?|amb[oa]s|(?:tre|cuare|cincue|sese|sete|oche|nove)nta|(?:tre|cator|quin)ce|doble`,
  `nessun${END}|niente|molt[ie]|poch[ie]|tutt[ie]|alcun[ie]|nenhum${END}|vári[oa]s|muit[oa]s|tod[oa]s|geen|niets|meerdere|veel|alle|beide|żad${END}|kilk${END}|wiele|wszystk${END}`,
  `ни одн${END}|ничего|бесплатн${END}|несколько|много|мало|все[хм]?|оба|обе|\\p{L}{0,12}(?:надцать|дцать|десят|сот|сто)${END}`,
]
/** What says how much money without a figure of money: "three months' rent". */
const PRICES = [
  "month(?:s['’]?|['’]s) (?:rent|salary|pay|wages)|(?:Monats|Kalt|Warm|Netto|Brutto)(?:monats)?(?:mieten?|gehalts?|gehältern?|löhnen?)|mois de (?:loyer|salaire)|meses de (?:alquiler|renta|sueldo|salario)|mensilità",
  'zero|nothing|free|included|complimentary|donations?|waived|refund(?:s|ed)?',
  `kostenlos${END}|kostenfrei${END}|gebührenfrei${END}|gratis|umsonst|frei${END}|nichts|inbegriffen|enthalten|Spende${END}`,
  `gratuit${END}|offert${END}|rien|compris${END}|gratis|nada|incluid[oa]s?|libre|niente|compres[oi]|incluso|grátis|niets|inbegrepen|bezpłatn${END}|бесплатн${END}|включен${END}`,
]
/** Offices, trades and kin, by how such words end and by name. */
const PEOPLE = [
  `\\p{L}{2,20}(?:er|or|ist|ian|ant|ent|ee|eur|euse|dor|dora|tore|trice|ista|iste|ien|ienne|ante|ente|man|men|mann|frau|leute|тель|ник|ист|щик|чик|ор|ер|арь)(?:s|es|en|in|innen|ов|ами|ом|и|а|у)?`,
  'he|she|they|we|I|you|nobody|everyone|everybody|anyone|anybody|somebody|staff|teams?|crew|board|people|boss|chief|chef|clerk|nurse|guests?|friends?|sons?|king|queen|wives|wife|aunt|child|children|famil(?:y|ies)|department|compan(?:y|ies)|committee|public|er|sie|wir|niemand|alle|jeder|il|elle|ils|elles|nous|personne|tous|él|ella|nadie|todos|lui|lei|nessuno|tutti|ele|ela|ninguém|hij|zij|niemand|iedereen|он|она|они|мы|никто|все|on|ona|oni|nikt|wszyscy',
]

/** Words of English and German that begin a sentence and name nobody. */
const NO_NAMES =
  'The|An?|Its?|This|That|These|Those|There|Here|In|On|At|By|For|From|To|Of|With|Without|As|If|When|While|After|Before|Since|Until|And|But|Or|So|Not|No|All|Some|Any|Each|Every|Many|Most|Such|Der|Die|Das|Eine?|Es|Diese?|Im|Am|Auf|Bei|Mit|Vo[nm]|Zu[mr]?|Für|Als|Wenn|Nach|Vor|Seit|Bis|Und|Aber|Oder|Nicht|Keine?|Alle|Jeder?'
/** A first word that may be a name: "Mara rows every morning." */
const FIRST_NAME = `^["“„«(]?(?!(?:${NO_NAMES}) )\\p{Lu}\\p{Ll}{1,30}(?= \\p{Ll})`

function anyWordOf(...lists: readonly string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.join('|')})(?![\\p{L}\\p{N}])`, 'iu')
}

const AMOUNT = anyWordOf(...AMOUNTS, ...TIMES)
const TIME = new RegExp(
  `${anyWordOf(...TIMES).source}|\\d{1,2}(?:[:.]\\d{2})? ?(?:[ap]\\.?m|Uhr|h|o'clock|BP)(?!\\p{L})`,
  'iu',
)

/** How an answer of a kind may look at all, where it looks otherwise than usual: "before each meal", "the whole crew". Repetitions are bounded. */
export const LOOSE_FORMS: Readonly<Partial<Record<AnswerKind, RegExp>>> = {
  date: TIME,
  hour: TIME,
  duration: AMOUNT,
  number: AMOUNT,
  measure: AMOUNT,
  amount: anyWordOf(...AMOUNTS),
  percentage: AMOUNT,
  identifier: /\d{3}/,
  money: anyWordOf(...PRICES),
  parties: anyWordOf('between|zwischen|entre|tra|fra|tussen|между'),
  person: new RegExp(`(?i:${anyWordOf(...PEOPLE).source})|${FIRST_NAME}`, 'u'),
}
