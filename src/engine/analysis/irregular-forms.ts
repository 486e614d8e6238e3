/**
 * English words of which no ending tells that they are forms of one, the form that gives the term first. Left out is what is as often another word, also in a
 * form that has its term (`wound`, `bounds`, `bits`, `shots`, `lives`), and what carries no meaning in any form (`was`, `had`).
 */
const IRREGULAR = `
arise arose arisen|awake awoke awoken|become became|begin began begun|bend bent|bite bitten|bleed bled|blow blew blown|break broke broken
breed bred|bring brought|build built|burn burnt|buy bought|catch caught|choose chose chosen|cling clung|come came|creep crept|deal dealt|dig dug|draw drew drawn
dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed|feel felt|fight fought|find found|flee fled|fly flew flown
forbid forbade forbidden|foresee foresaw foreseen|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten|give gave given|go went gone
grow grew grown|hang hung|hear heard|hide hid hidden|hold held|keep kept|kneel knelt|know knew known|learn learnt|leave left|lend lent|lose lost
make made|mean meant|meet met|mistake mistook mistaken|overcome overcame|pay paid|prove proven|rebuild rebuilt|ride rode ridden|ring rang|rise risen|run ran
say said|see saw seen|seek sought|sell sold|send sent|sew sewn|shake shook shaken|shine shone|show shown|shrink shrank shrunk|sing sang sung
sink sank sunk|sit sat|sleep slept|slide slid|sow sown|speak spoke spoken|spend spent|spill spilt|spin spun|spoil spoilt|spring sprang sprung
stand stood|steal stole stolen|stick stuck|sting stung|strike struck|strive strove striven|swear swore sworn|sweep swept|swell swollen|swim swam swum|swing swung
take took taken|teach taught|tear tore torn|tell told|think thought thoughts|throw threw thrown|undergo underwent undergone|understand understood
undertake undertook undertaken|wake woke woken|wear wore worn|weave wove woven|weep wept|win won|withdraw withdrew withdrawn|write wrote written
child children|foot feet|goose geese|man men|mouse mice|ox oxen|tooth teeth|woman women
calf calves|half halves|hoof hooves|knife knives|loaf loaves|scarf scarves|shelf shelves|thief thieves|wife wives|wolf wolves`
const BASES: ReadonlyMap<string, string> = new Map(
  IRREGULAR.trim()
    .split(/[|\n]/)
    .flatMap((group) => {
      const [base = '', ...forms] = group.split(' ')
      return forms.map((form): [string, string] => [form, base])
    }),
)

/** The form of an English word in lower case that has the same term by its stem: `buy` for `bought`; the word itself for nearly all. */
export function toBaseForm(word: string): string {
  return BASES.get(word) ?? word
}

/** First letters of forms of which the base begins otherwise, by that base, which is also its stem: `w` for `go`. */
const OTHER_BEGINNINGS = Map.groupBy(
  [...BASES].filter(([form, base]) => form[0] !== base[0]),
  ([, base]) => base,
)

/** The first letters of words that may give an English term, other than its own. */
export function otherBeginnings(term: string): string[] {
  return (OTHER_BEGINNINGS.get(term) ?? []).map(([form]) => form.slice(0, 1))
}
