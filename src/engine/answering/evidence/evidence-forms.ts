import type { AnswerKind } from '../question/answer-kinds.ts'

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
export const EVIDENCE_FORMS: Readonly<Partial<Record<AnswerKind, RegExp>>> = {
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
