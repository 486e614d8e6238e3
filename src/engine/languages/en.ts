import type { Language } from './language.ts'

/** English. */
export const ENGLISH: Language = {
  code: 'en',
  stemmer: 'english',
  stopWords: 'eng',
  askingWords: 'whom whose when why does doing done having',
  questionWords: 'what who whom whose which where when why how many much did does do was were is are can could',
  pronouns: 'It They He She This These His Her Its Their',
  abbreviations: `
    mr mrs ms dr prof sr jr st messrs rev hon capt col lt sgt gen sen rep gov pres mt ft vs etc cf al approx ca e.g
    i.e viz no nos fig figs ext eq eqs sec ch vol vols pp p ed eds est inc ltd co corp dept univ assn bros op cit
    u.s u.k a.m p.m a.d b.c ph.d d.c
  `,
  months: [
    'january jan',
    'february feb',
    'march mar',
    'april apr',
    'may',
    'june jun',
    'july jul',
    'august aug',
    'september sep sept',
    'october oct',
    'november nov',
    'december dec',
  ],
  irregularForms: `
    arise arose arisen, awake awoke awoken, become became, begin began begun, bend bent, bite bitten, bleed bled,
    blow blew blown, break broke broken, breed bred, bring brought, build built, burn burnt, buy bought, catch
    caught, choose chose chosen, cling clung, come came, creep crept, deal dealt, dig dug, draw drew drawn, dream
    dreamt, drink drank drunk, drive drove driven, eat ate eaten, fall fell fallen, feed fed, feel felt, fight
    fought, find found, flee fled, fly flew flown, forbid forbade forbidden, foresee foresaw foreseen, forget forgot
    forgotten, forgive forgave forgiven, freeze froze frozen, get got gotten, give gave given, go went gone, grow
    grew grown, hang hung, hear heard, hide hid hidden, hold held, keep kept, kneel knelt, know knew known, learn
    learnt, leave left, lend lent, lose lost, make made, mean meant, meet met, mistake mistook mistaken, overcome
    overcame, pay paid, prove proven, rebuild rebuilt, ride rode ridden, ring rang, rise risen, run ran, say said,
    see saw seen, seek sought, sell sold, send sent, sew sewn, shake shook shaken, shine shone, show shown, shrink
    shrank shrunk, sing sang sung, sink sank sunk, sit sat, sleep slept, slide slid, sow sown, speak spoke spoken,
    spend spent, spill spilt, spin spun, spoil spoilt, spring sprang sprung, stand stood, steal stole stolen, stick
    stuck, sting stung, strike struck, strive strove striven, swear swore sworn, sweep swept, swell swollen, swim
    swam swum, swing swung, take took taken, teach taught, tear tore torn, tell told, think thought thoughts, throw
    threw thrown, undergo underwent undergone, understand understood, undertake undertook undertaken, wake woke
    woken, wear wore worn, weave wove woven, weep wept, win won, withdraw withdrew withdrawn, write wrote written,
    child children, foot feet, goose geese, man men, mouse mice, ox oxen, tooth teeth, woman women, calf calves,
    half halves, hoof hooves, knife knives, loaf loaves, scarf scarves, shelf shelves, thief thieves, wife wives,
    wolf wolves
  `,
}
