/** What ends in a full stop without ending a sentence: English, German, French, Spanish, Italian, Portuguese, Dutch, Russian, Polish. */
const ABBREVIATIONS: ReadonlySet<string> = new Set(
  [
    'mr mrs ms dr prof sr jr st messrs rev hon capt col lt sgt gen sen rep gov pres mt ft vs etc cf al approx ca',
    'e.g i.e viz no nos fig figs ext eq eqs sec ch vol vols pp p ed eds est inc ltd co corp dept univ assn bros op cit',
    'u.s u.k a.m p.m a.d b.c ph.d d.c',
    'z.b bzw usw d.h u.a o.ä evtl ggf vgl nr art abs bd str inkl zzgl mio mrd tsd hr fr jh chr geb gest u.s.w s.o s.u tel',
    'mme mlle av env p.ex c.-à-d n° éd réf sra srta ud uds d dña pág núm ee.uu a.c d.c aprox',
    'sig sigg dott dott.ssa ing avv ecc dra exmo exma bijv blz enz o.a t.a.v',
    'г гг в вв т.е т.д т.п т.к и.о им ул д кв стр рис см др пр руб коп млн млрд тыс н.э др.-греч лат англ нем фр рус',
    'np itd itp tj tzw m.in godz wg prof.dr',
  ].flatMap((line) => line.split(' ')),
)
/** These come last in a sentence as often as not: what follows with a capital or a digit decides nothing. */
const OFTEN_LAST: ReadonlySet<string> = new Set(
  'etc usw ecc enz itd a.m p.m u.s u.k d.c inc ltd co corp jr al no т.д т.п др г гг в вв'.split(' '),
)
/** A sentence that begins so is one: the small words that names and numbers do not begin with. */
const OPENING =
  /^\s+["'“„«(]?(?:The|This|That|These|It|He|She|They|We|In|On|At|For|If|When|But|And|Der|Die|Das|Es|Sie|Er|Wir|Im|In|Le|La|Les|Il|Elle|En|El|Los|Las|Это|Он|Она|Они|В|На|По)\s/u
/** Months and days are cut short with a capital; "mar" and "sun" are words of their own. */
const CALENDAR = /(?:^|[\s(,])(?:Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec|Dez|Mon|Tue|Wed|Thu|Fri|Sat|Sun)$/
/** "z. B.", "u. a.", "d. h.", "т. е.": single letters with spaces between. */
const SPACED = /(?:^|[\s(])\p{Ll}$/u
const AFTER_SPACED = /^\s\p{L}\./u
const LAST_WORD = /(?:^|[\s("'“„«[—–-])((?:\p{L}+[.-])*\p{L}{1,8}|n°)$/u
const INITIAL = /(?:^|[\s("'“„«[.])\p{Lu}$/u
/** The number of an item or heading at the begin of a line, behind the signs that it may have there: `2. Price`, `## 2. Price`, `**2. Price**`. */
const ITEM_NUMBER = /(?:^|\n)[\s#*_>•–-]{0,12}(?:\d{1,3}|\p{L})$/u
/** German dates and ordinals: "am 3. Oktober", "das 19. Jahrhundert". */
const ORDINAL = /(?:^|[\s(])\d{1,2}$/u
/** Behind these a number with a stop is an ordinal whatever follows: "das 14. Lebensjahr", "im 3. Obergeschoss". */
const BEFORE_ORDINAL =
  /(?:^|[\s(])(?:der|die|das|dem|den|des|im|am|vom|zum|zur|beim|ab|jede[mnrs]?|ein(?:e[mnrs]?)?) \d{1,2}$/u
const AFTER_ORDINAL =
  /^\s+(?:Jan|Feb|M[äa]r|Apr|Mai|Jun|Jul|Aug|Sep|Okt|Nov|Dez|Jahrhundert|Jh|Jahrtausend|Auflage|Platz|Rang|Mal|Tag|Stock)/u

/**
 * True when the full stop between `before` and `after` belongs to an abbreviation, an initial, an ordinal or an item's
 * number and the sentence goes on. Both are the few characters at either side; `after` begins with white space.
 */
export function endsInAbbreviation(before: string, after: string): boolean {
  if (ITEM_NUMBER.test(before)) return true
  if (CALENDAR.test(before)) return true
  if (SPACED.test(before) && AFTER_SPACED.test(after)) return true
  if (ORDINAL.test(before)) return AFTER_ORDINAL.test(after) || (BEFORE_ORDINAL.test(before) && !OPENING.test(after))
  const word = LAST_WORD.exec(before)?.[1] ?? ''
  if (INITIAL.test(before) && word.length <= 1) return !OPENING.test(after)
  const name = word.toLowerCase()
  if (!ABBREVIATIONS.has(name)) return false
  return OFTEN_LAST.has(name) ? /^\s+[\d_]/u.test(after) && !/^(?:г|гг|в|вв)$/u.test(name) : true
}
