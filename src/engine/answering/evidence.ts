import { normalizeWordForMatch } from '../analysis/fold.ts'
import type { Span } from '../chunking/split-text.ts'
import { type AnswerKind, NUMBERED } from './answer-kinds.ts'
import { asks } from './list-leads.ts'

/** Months in the languages of the forms below, as alternatives of a pattern. */
export const MONTHS =
  'Jan(?:uary|uar)?|Feb(?:ruary|ruar)?|Mar(?:ch|s)?|März|Apr(?:il)?|May|Mai|June?|Juni|Juin|July?|Juli|Juillet|Aug(?:ust|ustus)?|Sept?(?:ember)?|O[ck]t(?:ober)?|Nov(?:ember)?|De[cz](?:ember)?|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|novembro|dezembro|januari|februari|maart|mei|augustus|stycznia|lutego|marca|kwietnia|maja|czerwca|lipca|sierpnia|września|października|listopada|grudnia|январ[яье]|феврал[яье]|март[ае]?|апрел[яье]|ма[яйе]|июн[яье]|июл[яье]|август[ае]?|сентябр[яье]|октябр[яье]|ноябр[яье]|декабр[яье]'
const CENTURY =
  'centur(?:y|ies)|Jahrhunderts?|siècles?|siglos?|secol[oi]|séculos?|eeuw|wieku?|век[аеу]?|decade|Jahrzehnt'
const WEEKDAYS =
  '(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)days?|(?:[Mm]on|[Dd]iens|[Dd]onners|[Ff]rei|[Ss]ams|[Ss]onn)tag(?:e?s|en?)?|[Mm]ittwoch(?:e?s|en?)?|(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?|lunes|martes|miércoles|jueves|viernes|sábados?|domingos?|(?:lune|marte|mercole|giove|vener)dì|sabato|domenica|(?:segunda|terça|quarta|quinta|sexta)s?-feiras?|(?:maan|dins|woens|donder|vrij|zater|zon)dag(?:en)?|(?:poniedział|wtor)(?:ek|k[ui])|śr[oó]d[aęy]|czwart(?:ek|k[ui])|piąt(?:ek|k[ui])|sobot[aęy]|niedziel[aęei]|понедельник\\p{Ll}{0,3}|вторник\\p{Ll}{0,3}|сред[аеуы]\\p{Ll}{0,2}|четверг\\p{Ll}{0,3}|пятниц\\p{Ll}{1,3}|суббот\\p{Ll}{1,3}|воскресень\\p{Ll}{1,3}'
/** Not a part of a longer word or number. */
const FREE = '(?<![\\p{L}\\p{N}])'
const STOP = '(?![\\p{L}\\p{N}])'
const DIGITS = "\\d{1,15}(?:[.,:'’ \\u00a0\\u202f]\\d{1,3}){0,5}"
const NUMBER_WORDS =
  'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty|fifty|sixty|hundreds?|thousands?|[mb]illions?|half|once|twice|dozens?|ein(?:e[rmns]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|hundert|tausend|Million(?:en)?|Milliarden?|Hälfte|deux|trois|quatre|cinq|sept|huit|neuf|dix|onze|douze|vingt|cent|mille|millions|moitié|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|veinte|cien(?:to)?|mil|millones|mitad|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|dodici|cento|milioni|metà|dois|duas|três|quatro|oito|dez|vinte|cem|milhões|metade|twee|drie|vijf|zes|zeven|negen|tien|twaalf|honderd|duizend|miljoen|helft|dwa|dwie|trzy|cztery|pięć|sześć|siedem|osiem|dziesięć|sto|tysiąc|milion\\p{Ll}*|один|одн[аоу]|дв[ае]|дву(?:х|мя)|тр(?:и|ех|ёх|емя)|четыр\\p{Ll}+|пят[ьи]\\p{Ll}*|шест[ьи]\\p{Ll}*|сем[ьи]|восемь|девять|десят[ьи]\\p{Ll}*|двадцать|сто|тысяч\\p{Ll}?|миллион\\p{Ll}*|миллиард\\p{Ll}*|половин\\p{Ll}+'
const HAN_NUMBER = '[0-9〇零一二两三四五六七八九十百千万亿]{1,12}'
/** With marks of thousands and decimals as well. */
const HAN_AMOUNT = `(?:${DIGITS}|${HAN_NUMBER})`
const UNITS =
  'seconds?|minutes?|hours?|days?|weeks?|months?|years?|decades?|centuries|Sekunden?|Minuten?|Stunden?|Tagen?|Wochen?|Monaten?|Jahren?|Jahrzehnten?|secondes?|heures?|jours?|semaines?|mois|ans?|années|segundos?|minutos?|horas?|d[ií]as?|semanas?|mes(?:es)?|años?|secondi|minuti|or[ae]|giorn[io]|settiman[ae]|mes[ei]|ann[io]|anos?|uur|uren|dagen|weken|maanden|jaar|jaren|godzin\\p{Ll}?|dni|tygodni\\p{Ll}?|miesięcy|lat|секунд\\p{Ll}?|минут\\p{Ll}?|час(?:а|ов)?|дн(?:я|ей)|недел\\p{Ll}+|месяц\\p{Ll}*|год(?:а|у|ы)?|лет|yr|yrs|hrs?|min|h|s|ms'
const AMOUNT = `(?:${DIGITS}|${NUMBER_WORDS})`
const CURRENCIES =
  '[Dd]ollars?|[Ee]uros?|[Pp]ounds?|[Cc]ents?|[Yy]en|[Yy]uan|[Ff]rancs?|Franken|Rappen|Pfund|Kronen|kron(?:or|er)|Rubel|[Pp]esos?|libras?|dólares|złot\\p{Ll}+|рубл\\p{Ll}+|доллар\\p{Ll}*|евро|фунт\\p{Ll}*|USD|EUR|GBP|CHF|JPY|CNY|RUB|PLN|AUD|CAD|SEK|NOK|DKK'
/** Written before an amount as well as behind it. */
const CODES = 'USD|EUR|GBP|CHF|JPY|CNY|RMB|RUB|PLN|AUD|CAD|SEK|NOK|DKK|Fr\\.'
/** What is measured and neither counted nor paid: weights, lengths, areas, volumes, temperatures, speeds, loudness, pressure, power. */
const MEASURES =
  'kg|g|mg|lbs?|oz|[ckmµ]?m|ft|in(?= ?(?:[.,;:)×|]|x |by |(?:wide|long|high|tall|deep|thick)|$))|mm?[²³]|[ck]m[²³]|m[lL]|[cd]?[lL]|[°º][CF]?|[KM]?Pa|bar|[km]?W|k?Wh|[KMG]?Hz|k?V|m?Ah?|dB|km/h|mph|knots?|(?:kilo|milli)?gram(?:me)?s?|Gramm|Kilo(?:gramm)?|kilos?|tonn?e?s?|Tonnen?|pounds?|ounces?|(?:kilo|centi|milli)?met(?:re|er)s?|(?:Kilo|Zenti|Milli)?Metern?|(?:kilo|centi|milli)?mètres?|(?:kil[oó]|cent[ií]|mil[ií])?metros?|feet|foot|inch(?:es)?|miles?|yards?|(?:square|cubic|Quadrat|Kubik|sq) ?\\p{L}+|hectares?|acres?|lit(?:re|er)s?|Liter|litros?|gallons?|degrees?|Grad|degrés?|grados?|decibels?|[Dd]ezibel|volts?|watts?|кг|г|мм|см|км|м|кило\\p{Ll}+|грамм\\p{Ll}*|метр\\p{Ll}*|литр\\p{Ll}*|градус\\p{Ll}*'

/** Behind an hour in words, which without its noun says a time as well as a number: "at nine on Sundays", not "at nine points". */
const AFTER_HOUR =
  '(?= ?(?:[.,;:!?)–-]|$)| (?:on|in|and|or|to|until|till|every|each|sharp|today|tomorrow|tonight|am|im|und|oder|bis|jeden|heute|morgen|de|por|en|y|hasta|di|del|e|fino|da|em|até|op|en|tot|elke)(?![\\p{L}\\p{N}]))'
const HOUR = '\\d{1,2}(?:[:.h]\\d{2}|h)?'
const HOURS = {
  en: 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve',
  de: 'eins|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf',
  es: 'una|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce',
  it: 'una|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici',
  pt: 'uma|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze',
  nl: 'één|twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf',
  fr: 'une|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingt',
  ru: 'час|дв(?:а|ух)|тр(?:и|ёх|ех)|четыр(?:е|ёх|ех)|пят[ьи]|шест[ьи]|сем[ьи]|вос(?:емь|ьми)|девят[ьи]|десят[ьи]|одиннадцат[ьи]|двенадцат[ьи]',
}

/** A capital, then letters: names in Latin and Cyrillic script; parts joined as in "van der Waals". */
const CAPITAL = "\\p{Lu}[\\p{L}’'-]{0,30}"
const PARTICLE = '(?:(?:of|de|da|do|dos|del|der|van|von|la|le|the|and|und|et|y|di) ){0,2}'
/** Behind the first word of a sentence, whose capital says nothing, or any two together. */
const NAME = `${FREE}(?:${CAPITAL}(?: ${PARTICLE}(?:${CAPITAL}|\\p{Lu}\\.)){1,5}|(?<=[^.!?\\s]["“„«(]? {1,2}["“„«(]?)${CAPITAL})`
const HAN_NAME = '\\p{Script=Han}{1,12}·[\\p{Script=Han}·]{1,12}'

function form(...alternatives: readonly string[]): RegExp {
  return new RegExp(alternatives.join('|'), 'gu')
}

/** Hours of the day, in figures and in words. */
const CLOCK = [
  `${FREE}(?:(?:at|until|till|before|after|half past) (?:${HOURS.en})|(?:um|bis|ab|gegen|halb) (?:${HOURS.de})|a las? (?:${HOURS.es}|${HOUR})|all['’e] ?(?:${HOURS.it}|(?:ore )?${HOUR})|às? (?:${HOURS.pt}|${HOUR})|om (?:${HOURS.nl}|${HOUR}))${AFTER_HOUR}`,
  `${FREE}(?:\\d{1,2}(?:[:.]\\d{2})?|${HOURS.en}|${HOURS.de}) ?(?:[ap]\\.?m|Uhr|o['’]clock)(?!\\p{L})`,
  `${FREE}(?:à|dès|vers|jusqu['’]à|avant|après) (?:\\p{Ll}{3,6}-)?(?:${HOURS.fr}|\\d{1,2}) ?(?:heures?|h)${STOP}`,
  // "Un délai de 24 heures" says no hour.
  `${FREE}de (?:${HOURS.fr}|\\d{1,2}) ?(?:(?:heures?|h)(?: ?\\d{2})? )?(?=à (?:${HOURS.fr}|\\d{1,2}) ?(?:heures?|h)${STOP})`,
  `${FREE}(?:в|к|с|со|до|после|около) (?:${HOURS.ru}|\\d{1,2})(?: (?:час\\p{Ll}{0,3}|утра|дня|вечера|ночи)${STOP}|(?=[.,;!?]|$| (?:и|до)(?!\\p{L})))`,
  `\\d{1,2}:\\d{2}|${HAN_NUMBER} ?(?:点|時)`,
]

const NUMBER = form(`${FREE}${DIGITS}`, `${FREE}(?:${NUMBER_WORDS})${STOP}`, `${HAN_NUMBER}`)

/** How an answer of a kind looks, where its looks tell. Every repetition is bounded, so a search is linear. */
const EVIDENCE_FORMS: Readonly<Partial<Record<AnswerKind, RegExp>>> = {
  percentage: form(
    `${FREE}${AMOUNT} ?(?:%|％|‰|per ?cent${STOP}|percentage|Prozent|pour cent|por ciento|per cento|por cento|procent|процент)`,
    `百分之${HAN_NUMBER}`,
    `${FREE}(?:half|third|quarter|thirds|quarters|Hälfte|Drittel|Viertel|moitié|tiers|mitad|tercio|metà|половин\\p{Ll}|треть\\p{Ll}?)${STOP}`,
  ),
  money: form(
    `[$€£¥₽₹] ?${DIGITS}`,
    `${FREE}${AMOUNT} ?(?:[$€£¥₽₹]|(?:(?:million|billion|Millionen|Milliarden|millions?|milliards?|millones|млн|млрд|миллион\\p{Ll}*|миллиард\\p{Ll}*)(?: de)? ?)?(?:US ?)?(?:[$€£¥]|${CURRENCIES}))`,
    `${FREE}(?:${CODES}) ?${DIGITS}`,
    `${HAN_AMOUNT} ?(?:美元|欧元|英镑|元|日元|円|法郎)`,
  ),
  duration: form(
    `${FREE}${AMOUNT}[ -](?:\\p{L}{1,12}[ -])?(?:${UNITS})${STOP}`,
    `${HAN_NUMBER} ?(?:年|个月|月|天|小时|分钟|秒|周|星期|世纪)`,
    `${FREE}(?:until|till|bis(?: zum)?|jusqu['’]au|hasta el|fino al?|até|tot|do|до) \\d{1,2}(?:st|nd|rd|th|\\.)? (?:de )?(?:${MONTHS})${STOP}`,
    `${FREE}(?:1\\d{3}|20\\d{2}) ?(?:–|-|to|bis|à|a|до|until) ?(?:1\\d{3}|20\\d{2})`,
  ),
  date: form(
    `${FREE}(?:1[0-9]\\d{2}|20\\d{2})(?:s|er|-х)?${STOP}`,
    `${FREE}(?:\\d{1,2}(?:st|nd|rd|th|er|\\.)? (?:de |of )?)?(?:${MONTHS})${STOP}`,
    `${FREE}\\d{1,2}[./-]\\d{1,2}[./-]\\d{2,4}${STOP}`,
    `${FREE}(?:\\d{1,2}(?:st|nd|rd|th|\\.)?|[IVXLivxl]{1,6}|\\p{Ll}{4,15})(?: |-)(?:${CENTURY})${STOP}`,
    `${FREE}\\d{1,4} ?(?:BC|AD|BCE|CE|v\\. ?Chr|n\\. ?Chr|a\\. ?C|до н)`,
    `${FREE}(?:${WEEKDAYS})${STOP}`,
    ...CLOCK,
    `${HAN_NUMBER} ?(?:年|月|日|世纪|号)`,
  ),
  hour: form(...CLOCK, `${FREE}\\d{1,2} ?h(?:\\d{2})?${STOP}`),
  measure: form(
    `${FREE}${AMOUNT}[ -]?(?:${MEASURES})(?![\\p{L}\\p{N}])`,
    `${HAN_AMOUNT} ?(?:千克|公斤|斤|克|吨|米|厘米|毫米|公里|升|毫升|度|摄氏度|分贝|平方米|キロ|グラム|メートル|リットル|kg|g|cm|mm|m)`,
  ),
  identifier: form(
    `(?<![\\p{L}\\p{N}.,/-])\\+?\\(?\\d(?!\\d?[./]\\d{1,2}[./]|\\d{3}-\\d\\d-)[\\d ()/.-]{4,20}\\d(?![\\p{L}\\p{N}%]| ?[€$£%]|,\\d)`,
    `(?<![\\p{L}\\p{N}.,-]|\\d[/:])#?(?=[\\p{Lu}\\d/._-]{3,30}(?![\\p{L}\\p{N}%/._-]| ?[€$£%]|,\\d))(?=[\\p{Lu}/._-]{0,20}\\d)(?!\\d{1,2}[./]\\d{1,2}[./]|\\d{4}-\\d\\d-)[\\p{Lu}\\d/._-]{3,30}`,
  ),
  version: form(
    '(?<![\\p{Lu}\\p{Ll}\\p{N}.,])(?!\\d{1,2}\\.\\d{1,2}\\.\\d{4})[vV]?\\d{1,4}(?:\\.\\d{1,5}){1,3}(?![\\p{Lu}\\p{Ll}\\p{N}]|[.,]\\d| ?[€$£%])',
    `${FREE}(?!(?:${MONTHS}) )\\p{Lu}\\p{L}{1,20} \\d{1,3}(?![\\p{N}.:,]\\d|\\p{N})`,
    `${FREE}(?:[vV]|version|release) ?\\d{1,4}${STOP}`,
  ),
  amount: NUMBER,
  number: NUMBER,
  parties: form(
    `${FREE}(?:between|by and between|zwischen|entre|tra|fra|tussen|между) (?=[^\\n]{0,60}\\p{Lu})[^\\n]{2,200}? (?:and|und|et|y|e|ed|en|и) `,
    '[（(](?:以下简称)?["“「]?[甲乙]方|[甲乙]方[:：]',
  ),
  permission: form(
    `${FREE}(?:[Yy]es|[Nn]o|may|must|can(?:not)?|allowed|permitted|prohibited|forbidden|possible|only|[Jj]a|[Nn]ein|darf|dürfen|kann|können|muss|müssen|erlaubt|gestattet|zulässig|verboten|untersagt|möglich|nur|[Oo]ui|[Nn]on|peut|peuvent|permis|autorisée?s?|interdite?s?|possible|[Ss]í|puede|pueden|permitid[oa]s?|prohibid[oa]s?|posible|[Ss]ì|può|possono|vietat[oaie]|consentit[oaie]|[Ss]im|[Nn]ão|pode|podem|proibid[oa]s?|mag|mogen|toegestaan|verboden|можно|нельзя|разрешено|запрещено|может|могут)${STOP}`,
    '可以|不可|不得|禁止|允许',
  ),
  person: form(NAME, HAN_NAME),
  place: form(NAME, '[\\p{Script=Han}]{1,6}(?:国|市|省|州|县|区|岛|河|山|海|城|洲|镇)'),
  organization: form(
    NAME,
    `${FREE}\\p{Lu}{2,6}${STOP}`,
    '[\\p{Script=Han}]{1,12}(?:公司|大学|组织|机构|队|党|协会|委员会|学校|集团)',
  ),
  reason: form(
    `${FREE}(?:because|due to|owing to|as a result|in order to|so that|so as to|thanks to|caused by|the reason|weil|wegen|aufgrund|damit|um zu|dank|parce qu|en raison|afin|grâce à|à cause|porque|debido|ya que|gracias a|a causa de|para que|poiché|perché|affinché|pois|devido|omdat|vanwege|doordat|zodat|ponieważ|dlatego|потому|так как|поскольку|из-за|чтобы|благодаря)${STOP}`,
    '因为|由于|为了|以便|导致',
  ),
}

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

const ANY_AMOUNT = anyWordOf(...AMOUNTS, ...TIMES)
const TIME = new RegExp(
  `${anyWordOf(...TIMES).source}|\\d{1,2}(?:[:.]\\d{2})? ?(?:[ap]\\.?m|Uhr|h|o'clock|BP)(?!\\p{L})`,
  'iu',
)

/** How an answer of a kind may look at all, where it looks otherwise than usual: "before each meal", "the whole crew". Repetitions are bounded. */
const LOOSE_FORMS: Readonly<Partial<Record<AnswerKind, RegExp>>> = {
  date: TIME,
  hour: TIME,
  duration: ANY_AMOUNT,
  number: ANY_AMOUNT,
  measure: ANY_AMOUNT,
  amount: anyWordOf(...AMOUNTS),
  percentage: ANY_AMOUNT,
  identifier: /\d{3}/,
  money: anyWordOf(...PRICES),
  parties: anyWordOf('between|zwischen|entre|tra|fra|tussen|между'),
  person: new RegExp(`(?i:${anyWordOf(...PEOPLE).source})|${FIRST_NAME}`, 'u'),
}

/** What kind of thing is asked for, the question as `matchable` makes it, and whether it asks for what is not so. */
export type Asked = { kind: AnswerKind; words: string; isDenied: boolean }

/** Kinds that a heading tells of all that stands below it. */
const TOLD_BY_HEADINGS: ReadonlySet<AnswerKind> = new Set(['date', 'version'])

/** True for a heading with the date or the version that is asked for, which no sentence below it repeats. */
export function headingAnswers(heading: string, { kind, words }: Pick<Asked, 'kind' | 'words'>): boolean {
  return TOLD_BY_HEADINGS.has(kind) && !asks(heading) && (findEvidence(heading, kind, words) ?? []).length > 0
}

/** Looked for in a sentence; more of one kind says no more. */
const MOST_SPANS = 40

/**
 * The places in a sentence that could be an answer of the kind, in order: a year for a date, a name for a person.
 * What the question itself says is no answer to it and is left out; `asked` is the question as `matchable` makes it.
 * `null` for kinds that no form shows.
 */
export function findEvidence(sentence: string, kind: AnswerKind, asked: string): Span[] | null {
  const form = EVIDENCE_FORMS[kind]
  if (form === undefined) return null
  const unsaid = findUnsaid(sentence, form, asked)
  return kind === 'amount' ? [...withoutTimes(sentence, unsaid)] : unsaid
}

/** Kinds that answer for another: "within five days" says when, any number may be the one. */
const ALSO: Readonly<Partial<Record<AnswerKind, AnswerKind>>> = {
  date: 'duration',
  duration: 'number',
  measure: 'number',
  hour: 'date',
  percentage: 'number',
  money: 'number',
  person: 'organization',
  parties: 'organization',
}
const CASED = /[\p{Lu}\p{Ll}]/u
const UNSPACED = /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u

/**
 * False where nothing at all in a sentence could be an answer of the kind, even loosely: no number, no word of time, nobody. True for kinds
 * and scripts of which no form tells.
 */
export function mayAnswer(whole: string, kind: AnswerKind, asked: string): boolean {
  const sentence = kind === 'person' ? whole.replace(LABEL, '') : whole
  const loose = LOOSE_FORMS[kind]
  if (loose === undefined || !CASED.test(sentence) || UNSPACED.test(sentence)) return true
  const find = (form: RegExp | undefined) => {
    const unsaid = form === undefined ? [] : findUnsaid(sentence, form, asked)
    return kind === 'money' ? withoutTimes(sentence, unsaid) : unsaid
  }
  const others = find(EVIDENCE_FORMS[ALSO[kind] ?? kind])
  const isLike = (kind === 'money' ? withoutMeasures(sentence, others) : others).length > 0
  return isLike || find(EVIDENCE_FORMS[kind]).length > 0 || loose.test(sentence)
}

/** "Next meeting: …" names nobody by its label, of which a word is in small letters; who speaks in a chat does. */
const LABEL = /^(?=[^\n:]{0,39} \p{Ll})[^\n:]{1,40}:\s+(?=\S)/u

/** What the form of a span of time takes for one as well, and may be a price: "49 per month", "1200 to 1500". */
const PRICE_OVER_TIME = /[ -](?:per|an?|each|every|pro|im|je|jede[nrs]?|par|por|al?|ao|na|в|за)[ -]\p{L}+$|\d$/iu

/** "A two-year warranty", "after 30 days": the number of a span of time is no price. */
function withoutTimes(sentence: string, spans: readonly Span[]): readonly Span[] {
  const found = spans.length === 0 ? [] : (findEvidence(sentence, 'duration', '') ?? [])
  return outside(
    spans,
    found.filter(({ start, end }) => !PRICE_OVER_TIME.test(sentence.slice(start, end))),
  )
}

/** What a year is not that stands alone, which a price may look like. */
const DAY = /\p{L}|\d[./-]\d{1,2}[./-]\d/u
const YEAR_BEHIND_DAY = /\p{L}\.?,?\s$/u

const FIGURE = /\d/

/** "5,20 m wide", "on 3 May", "18:30": the number of a measure, a day or an hour is no price, nor is one in words: "three tablets". */
function withoutMeasures(sentence: string, spans: readonly Span[]): readonly Span[] {
  if (spans.length === 0) return spans
  const dates = findEvidence(sentence, 'date', '') ?? []
  const days = dates.filter(({ start, end }, index) => {
    const isBehindDay = (dates[index - 1]?.end ?? -1) >= start - 2 && YEAR_BEHIND_DAY.test(sentence.slice(0, start))
    return isBehindDay || DAY.test(sentence.slice(start, end))
  })
  const others = (['measure', 'hour'] as const).flatMap((kind) => findEvidence(sentence, kind, '') ?? [])
  const inFigures = spans.filter(({ start, end }) => FIGURE.test(sentence.slice(start, end)))
  return outside(inFigures, [...days, ...others])
}

/** A number that names something stands behind what it names: "order 4711", "Invoice no. 12". */
const BEHIND_NAMED = new RegExp(`(?<!\\p{L})(?:${NUMBERED})(?: (?:number|no\\.?))? #?$`, 'iu')
const MOST_NAME_CHARACTERS = 40

/** Without the numbers that name something, and those of money, which count nothing else. */
export function withoutOtherNumbers(sentence: string, spans: readonly Span[]): readonly Span[] {
  const counting = spans.filter(
    ({ start }) => !BEHIND_NAMED.test(sentence.slice(Math.max(0, start - MOST_NAME_CHARACTERS), start)),
  )
  return outside(counting, findEvidence(sentence, 'money', '') ?? [])
}

function outside(spans: readonly Span[], others: readonly Span[]): readonly Span[] {
  return spans.filter(({ start, end }) => !others.some((other) => other.start <= start && end <= other.end))
}

/** `3. Bring a lunch`: the number of an item counts nothing. */
const ITEM_NUMBER = /^[\s#*_>•–-]{0,12}\d{1,3}[.)](?=\s)/u
/** "the landlord's" is said by "the landlord". */
const POSSESSIVE = /['’]s$/u

/** What a form finds that the question does not say. */
function findUnsaid(sentence: string, form: RegExp, asked: string): Span[] {
  const spans: Span[] = []
  const from = ITEM_NUMBER.exec(sentence)?.[0].length ?? 0
  for (const match of sentence.matchAll(form)) {
    if (spans.length >= MOST_SPANS) break
    const found = match[0]
    if (match.index + found.length <= from || found.trim() === '' || isSaid(found, asked)) continue
    spans.push({ start: match.index, end: match.index + found.length })
  }
  return spans
}

function isSaid(found: string, asked: string): boolean {
  const words = normalizeWordForMatch(found.replace(POSSESSIVE, ''))
  return words === '' ? asked.includes(found) : asked.includes(` ${words} `)
}
