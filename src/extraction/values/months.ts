import { fold } from '../../engine/analysis/fold.ts'

/**
 * January to December in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish, Danish, Norwegian, Polish, Czech, Russian,
 * Ukrainian, Romanian, Turkish, Hindi; folded. Not in Croatian, whose `listopad` is October.
 */
const NAMES = [
  'january jan januar janner janvier janv enero ene gennaio gen janeiro januari stycznia styczen января январь янв ledna leden січня січень ianuarie ocak जनवरी',
  'february feb februar feber fevrier fevr febrero febbraio fevereiro fev februari lutego luty февраля февраль фев unora unor лютого лютий februarie subat फरवरी',
  'march mar marz maerz mrz mars marzo marco maart mrt marca marzec марта март brezna brezen marts березня березень martie mart मार्च',
  'april apr avril avr abril abr aprile kwietnia kwiecien апреля апрель апр dubna duben квітня квітень aprilie nisan अप्रैल',
  'may mai mayo maggio mag maio mei maj maja мая май kvetna kveten травня травень mayis मई',
  'june jun juni juin junio giugno giu junho czerwca czerwiec июня июнь cervna cerven червня червень iunie haziran जून',
  'july jul juli juillet juil julio luglio lug julho lipca lipiec июля июль cervence cervenec липня липень iulie temmuz जुलाई',
  'august aug aout agosto ago augustus augusti sierpnia sierpien августа август авг srpna srpen серпня серпень agustos अगस्त',
  'september sep sept septembre septiembre settembre set setembro wrzesnia wrzesien сентября сентябрь сен zari вересня вересень septembrie eylul सितंबर',
  'october oct oktober okt octobre octubre ottobre ott outubro out pazdziernika pazdziernik октября октябрь окт rijna rijen жовтня жовтень octombrie ekim अक्टूबर अक्तूबर',
  'november nov novembre noviembre novembro listopada listopad ноября ноябрь ноя listopadu листопада листопад noiembrie kasim नवंबर',
  'december dec dezember dez decembre decembre diciembre dic dicembre dezembro grudnia grudzien декабря декабрь дек prosince prosinec desember грудня грудень decembrie aralik दिसंबर',
] as const

const MONTHS: ReadonlyMap<string, number> = new Map(
  NAMES.flatMap((names, index) => names.split(' ').map((name) => [fold(name), index + 1] as const)),
)

/** 1 to 12 for the name of a month or its usual abbreviation; `null` for every other word. */
export function getMonth(word: string): number | null {
  return MONTHS.get(fold(word.toLowerCase())) ?? null
}
