import { fold } from '../../analysis/fold.ts'

/** January to December in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Polish, Russian; folded. */
const NAMES = [
  'january jan januar janner janvier janv enero ene gennaio gen janeiro januari stycznia styczen января январь янв',
  'february feb februar feber fevrier fevr febrero febbraio fevereiro fev februari lutego luty февраля февраль фев',
  'march mar marz maerz mrz mars marzo marco maart mrt marca marzec марта март',
  'april apr avril avr abril abr aprile kwietnia kwiecien апреля апрель апр',
  'may mai mayo maggio mag maio mei maj maja мая май',
  'june jun juni juin junio giugno giu junho czerwca czerwiec июня июнь',
  'july jul juli juillet juil julio luglio lug julho lipca lipiec июля июль',
  'august aug aout agosto ago augustus augusti sierpnia sierpien августа август авг',
  'september sep sept septembre septiembre settembre set setembro wrzesnia wrzesien сентября сентябрь сен',
  'october oct oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik октября октябрь окт',
  'november nov novembre noviembre novembro listopada listopad ноября ноябрь ноя',
  'december dec dezember dez decembre decembre diciembre dic dicembre dezembro grudnia grudzien декабря декабрь дек',
] as const

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [fold(name), index + 1] as const)),
)

/** 1 to 12 for the name of a month or its usual abbreviation; `null` for every other word. */
export function getMonth(word: string): number | null {
  return MONTHS.get(fold(word.toLowerCase())) ?? null
}
