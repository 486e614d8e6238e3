import { ENGLISH_SYNONYMS } from './en-synonyms.ts'
import type { Language } from './language.ts'

/** Things with a number or a code as their name. */
const NUMBERED =
  'phone|telephone|fax|mobile|cell|hotline|helpline|emergency|support|contact|order|invoice|customer|client|account' +
  '|contract|policy|ticket|case|reference|serial|model|part|item|article|tracking|booking|reservation|confirmation' +
  '|registration|licen(c|s)e|tax|vat|passport|membership|employee|personnel|project|patient|postal|zip|area|sort' +
  '|swift|product|purchase order|po'

/** English. */
export const ENGLISH: Language = {
  code: 'en',
  stemmer: 'english',
  genericWords: `
    time times date dates day days week weeks month months year years hour hours minute minutes period moment age
    number numbers value amount sum price prices cost costs fee fees pay pays paid charge charged name names size
    word kind sort type way thing things people person far long high tall big large small deep wide heavy fast quick
    quickly soon often old much many well good early late additional maximum minimum total happen happens happened
    use uses used need needs get gets getting give given gives take takes taken have go goes come comes make makes
    made do done let lets tell know see find put keep kept say says call called work works start starts begin begins
    end ends last lasts set become becomes allowed possible exactly arrive arrives arrived receive receives received
    currently now still usually normally please able must may might should will would i.e
  `,
  inversions: 'did does do was were is are has have had will',
  beforeNouns: `
    a an the my our your his her their its this that these those of in on at for from with by per under over during
    after before without about near into many much any some each every no other another between against
    since until through
  `,
  stopWords: 'eng',
  askingWords: 'whom whose when why does doing done having',
  questionWords: 'what who whom whose which where when why how many much did does do was were is are can could',
  pronouns: 'It They He She This These His Her Its Their',
  abbreviations: `
    mr mrs ms dr prof sr jr st messrs rev hon capt col lt sgt gen sen rep gov pres mt ft vs etc cf al approx ca e.g
    i.e viz no nos fig figs ext eq eqs sec ch vol vols pp p ed eds est inc ltd co corp dept univ assn bros op cit
    u.s u.k a.m p.m a.d b.c ph.d d.c
  `,
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
  finalAbbreviations: 'etc al a.m p.m u.s u.k d.c inc ltd co corp jr no',
  shortDates: 'Jan Feb Mar Apr Jun Jul Aug Sep[t] Oct Nov Dec Mon Tue Wed Thu Fri Sat Sun',
  openings: 'The This That These It He She They We In On At For If When But And',
  questions: {
    which: '(what|which)',
    nouns: {
      percentage: 'percent* share* proportion*',
      money: 'price[s] cost[s] fee[s] salary amount[s] budget[s] revenue[s]',
      date: 'year[s] date day month century decade[s] era period',
      measure: 'weight height width depth temperature speed',
      number: 'number population size length area distance age rank ratio rate',
      person: 'person president king queen author writer scientist player director actor general leader',
      place: `
        city cities country countries state[s] town place region river continent island location area street county
      `,
      organization: `
        company companies organi(s|z)ation university team agency party group school college band institution
      `,
      reason: 'reason cause purpose',
    },
    values: {
      percentage: 'percent* proportion',
      money: `
        price[s] cost[s] fee[s] fare[s] rent deposit[s] charge[s] fine[s] penalty surcharge[s] excess premium salary
        wage[s] pay allowance budget revenue[s] turnover profit toll tariff subscription bonus pension
      `,
      date: 'date deadline',
      measure: 'weight height width depth temperature speed diameter',
      identifier: `
        (phone|telephone|mobile|fax|order|account|customer|member|serial|reference|policy|part|invoice|tax|vat)_number
        phone telephone fax hotline iban bic postcode extension
      `,
      email: '(email|e_mail|mail)[_address] email[s]',
      number: 'size length area distance age capacity limit maximum minimum score quota',
      duration: 'duration',
    },
    first: { date: 'when', person: 'who whom whose' },
    hasPlainWho: true,
    interrogatives: 'what which who whom whose how where why',
    phrases: {
      percentage: 'how many percent',
      money: `
        what (do|does|did|will|would) <1-9> cost
        what (do|does|did|must|should) <1-6> pay
        how much (rent|salary|wage[s]|tax|deposit|pension|money*)
        how much (do|does|did|will|would) <1-6> (cost|pay|spend|earn)
        how much is the (price|cost|fee|salary|budget)*
      `,
      duration: `
        how long !(is the (river|road|wall|bridge)*)
        how (many|much) <0-1> (seconds|minutes|hours|days|weeks|months|years|decades|time)
      `,
      hour: 'what time !((zone|period|frame|span|limit)[s])',
      measure: `
        how (tall|high|deep|wide|thick|heavy|fast|hot|warm|cold|loud|far)
        (how much|what) (do|does|did) <1-6> weigh
      `,
      amount: 'how much (is|are|was|were|do|does|did|will|would|can|may|must|should|has|have)',
      identifier: `^ (what|which) (is|was|s) <1-3> (${NUMBERED}) (number|no|id|code)[s]`,
      version: `
        (what|which) [!(is|are|was|does|do|did|has|will|can) <1-1> ](version|release)
        (what|which) (is|was) the <0-1> version
      `,
      number: 'how (many|much|often|big|large|old|long)',
      parties: `
        who (is|are|were) [the|both] [contracting] (party|parties)
        between whom
      `,
      permission: `
        ^ may !(#*)
        ^ can (i|we|you|one|<1-2> be)
        ^ (am i |are we |is it |(are|is) <1-3> )allowed
      `,
      person: '(what|which) <0-3> s name',
      place: 'where',
      reason: `
        why
        how come
      `,
    },
    timeNouns: `
      time second[s] minute[s] hour[s] day[s] night[s] week[s] month[s] year[s] longer notice leave
    `,
    whether: `
      (is|are|was|were) there
      (do|does|did) <1-5> (have|include|contain|offer|support|come with)
      (has|have) … got
    `,
    whatIs: '(what|who) (is|are|was|were|s)',
    requests: `
      [please] (tell|show) (me|us) (who|whom|whose|what|when|where|why|how|which|if|whether)
      [please] (could|can|would) you [please] (tell|show) (me|us)
      (I|we)( would|'d|’d) like to know
      (I|we) (want|need|would love) to know (who|whom|whose|what|when|where|why|how|which|if|whether)
      (I|we) (wonder|was wondering|were wondering) (who|whom|whose|what|when|where|why|how|which|if|whether)
    `,
    unmarked: `
      (who|what|when|where|why|how) [else] (is|are|was|were|do|does|did|has|have|can|could|should|will|would|must|may)
      (who|what|where|when|how)('|’)s
      how (much|many|long|often|far|old|big|late|early)
      (does|did|has|is) (anyone|anybody|someone|somebody)
    `,
    labels: 'Q Question',
    unknown: `
      no (idea|clue)
      (don|doesn|didn)(|'|’)t (know|remember)
      (do|does|did) not (know|remember)
      (haven|hasn)(|'|’)t (a|got a|got the|the) [faintest|slightest|foggiest] (idea|clue)
      not [really|quite] sure
      (can|couldn)(|'|’)t (say|tell)
      (dunno|beats me|search me|who knows|good question)
    `,
    conditions: 'if when while whenever as_long_as in_case',
    situations: 'while during',
    how: `
      how (to|(do|does|can|could|should|must|would|may) (i|we|you|one))
      what [are the] steps
      what (do|must|should) (i|we|you|one) do <0-3> to
    `,
    howMany: 'how many',
    howOften: 'how (often|frequently|many times)',
    temperatures: `
      how (hot|warm|cold|cool)
      (what|which) [(is|was) ][(the|our) ]<0-1> temperature[s]
    `,
    sizes: 'how (deep|wide|thick|tall|heavy)',
    addresses: `
      (email|e mail|mail) address
      (email|e mail) of <1-3> $
    `,
    about: `
      (do|does|did) <1-5> (have|include|contain|offer|support|cover|come with) {…}
      (is|are|was|were) {…} (included|covered|contained|supported|insured)
    `,
    fillers: `
      {[(until|till|from|since|by|at)] what time}
      what (do|does|did) !(the|a|an) <1-1> {mean}
      what (do|does|did) … !(the|a|an) <1-1> {mean}
      what (do|does|did) … {stand} for
      what {happen[s]} (if|when)
      how much {time}
      (take|takes|took|taking|taken) {place}
      (which|what) {(version|release)}
      ^{(until|till|since|by)} when
      how {long!( (is|are|was|were) )}
      what is the {(amount|price|cost)} of
      what (is|was) <1-3> (${NUMBERED}) {(number|no|id|code)}
      (what|how much) (do|does|did|will|would) … {cost}
    `,
    relations: `
      who (is|are|was|were) {(responsible|in charge)} (for|of)
      who {(handle[s]|manage[s]|looks after|takes care of|deals with)}
      who[m] (do|can|should|must|may) (i|we|you) {(contact|ask|call|email|e-mail|phone)} (to|about|for|with)
      who[m] (do|can|should|must|may) (i|we|you) {(write|talk|speak|turn|go)} (to|about|for|with)
      where (do|can|could|may) (i|we|you|one) {(get|find|obtain|see)}
    `,
    permission: '^(is|are) … {(allowed|permitted)}',
    rewrites: {
      attended: `
        who [all] (was|were) {[also] (at|there|in!( charge))}
        who {(took part|came!( up))}
      `,
      absent: `
        who {(could|did|would)[ ]n(o|'|’)t (be there|come|attend)}
        who {(was|were)[ ]n(o|'|’)t (there|at)}
      `,
      leave: '(days|weeks|time) {off}',
    },
  },
  answers: {
    open: 'close closes closing open opens opening opened',
    closed: 'closed',
    versions: 'version[s] edition[s] revision revised release update[d]',
    beforeYears: 'in since until till year spring summer autumn winter',
    monthPatterns: `
      Jan[uary] Feb[ruary] Mar[ch] Apr[il] May Jun[e] Jul[y] Aug[ust] Sep[t|tember] Oct[ober] Nov[ember] Dec[ember]
    `,
    weekdays: '(Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day[s]',
    centuries: 'century centuries decade',
    numbers: `
      one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
      eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred[s] thousand[s] (m|b)illion[s]
      half once twice dozen[s]
    `,
    timeUnits: `
      second[s] minute[s] hour[s] day[s] week[s] month[s] year[s] decade[s] centuries yr yrs hr hrs min h s ms
    `,
    hours: 'one two three four five six seven eight nine ten eleven twelve',
    clock: '(at|until|till|before|after|half past) <hour>',
    clockWithUnit: "(#[#][(:|.)##]|<hour>)[ ]((a|p)[.]m|o('|’)clock)",
    afterHour: 'on in and or to until till every each sharp today tomorrow tonight am',
    until: 'until till',
    lasting: 'for_(a|an)',
    rangeTo: 'to until',
    percent: 'per[_]cent!(?) percentage',
    fractions: 'half third quarter thirds quarters',
    currencies: `
      (D|d)ollar[s] (E|e)uro[s] (P|p)ound[s] (C|c)ent[s] (P|p)en(ce|ny) (R|r)upee[s] (Y|y)en (Y|y)uan
      (F|f)ranc[s] (P|p)eso[s]
    `,
    millions: 'million billion',
    measures: `
      tonne[s] ton[s] pound[s] ounce[s] (kilo|milli)gram[me][s] kilo[s] (kilo|centi|milli)met(re|er)[s] met(re|er)[s]
      feet foot inch[es] mile[s] yard[s] (square|cubic|sq)(_*|*) hectare[s] acre[s] lit(re|er)[s] gallon[s] degree[s]
      decibel[s] volt[s] watt[s] knot[s] gram[me][s]
    `,
    between: 'by_and_between between',
    and: 'and',
    permission: `
      (Y|y)es (N|n)o may must can cannot allowed permitted prohibited forbidden possible only
    `,
    reasons: `
      because due_to owing_to as_a_result in_order_to so_that so_as_to thanks_to caused_by the_reason
    `,
    causes: "so for since as otherwise after following reason[s] cause[d|s] not isn't to only still",
    times: `
      noon midnight midday morning[s] afternoon[s] evening[s] night[s] nightly dawn dusk sunrise sunset today tonight
      tomorrow yesterday daily weekly monthly quarterly yearly annual[ly] hourly immediately always never often rarely
      seldom sometimes usually before after until till during since while when whenever as_soon once twice every each
      soon later now spring summer autumn winter Christmas Easter weekend[s] [week|work|holi]day[s] week[s] month[s]
      year[s] hour[s] quarter[s] season[s] end beginning ago
    `,
    degrees: 'degree[s]',
    frequencies: 'times every each per never always',
    amounts: `
      zero none no nothing free several many few some all both single double triple pair[s] couple numerous most
      (four|six|seven|eigh|nine)teen (seven|eigh|nine)ty trillion[s] quarter[s] third[s] first only
    `,
    prices: `
      month(s|s'|s’|'s|’s)_(rent|salary|pay|wages) zero nothing free included complimentary donation[s] waived
      refund[s|ed]
    `,
    people: `
      he she they we I you nobody everyone everybody anyone anybody somebody staff team[s] crew board people boss chief
      clerk nurse guest[s] friend[s] son[s] king queen wives wife aunt child children family families department
      company companies committee public
    `,
    peopleEndings: 'er or ist ian ant ent ee man men',
    peopleInflections: 's es',
    noNames: `
      The A An It Its This That These Those There Here Please Meanwhile In On At By For From To Of With Without As If
      When While After Before Since Until And But Or So Not No All Some Any Each Every Many Most Such
    `,
    nameParticles: 'of the and',
    numbered: NUMBERED.replaceAll(' ', '_').replaceAll('|', ' '),
    procedures: 'Method Preparation Directions Instructions Steps Procedure',
    steps: 'Step',
    clauses: 'Art[.|icle|icles] Section Clause',
  },
  negation: {
    words: `
      not never without cannot no_!(#*) neither none nothing except!(ional)* exclu!(siv|sif)?* unsupported forbidden
      prohibited disallowed removed dropped discontinued
      (can|won|don|doesn|didn|isn|aren|wasn|weren|wouldn|shouldn|couldn|mustn|hasn|haven)_t
    `,
  },
  definitions: {
    articles: 'a an the',
    copulas: 'is are was were',
    verbs: 'means refers_to',
    determiners: '(O|o)ne (A|a)ny',
  },
  statements: {
    modals: 'may',
    copulas: 'is are was were be',
    negations: 'not never no',
    negatedArticles: 'no',
    without: 'without',
    uncertain: 'may might could can',
    conditions: 'unless except if without provided_that only subject_to depending depends',
  },
  synonyms: ENGLISH_SYNONYMS,
  measureWords: `
    heavy: weight weigh weighs, long: length duration lasts lasted, high: tall height, wide: width, deep: depth,
    loud: noise, fast: speed,
    big: large size area, old: age, hot: warm temperature, begin: begins start starts commence commences, end:
    ends expire expires expiry, leave: holiday holidays vacation, open: opens opening close closes closing, watt:
    watts power, expensive:
    cost costs price fee charge, depart: dep departs departure departures leave leaves, arrive: arr arrives arrival
    arrivals
  `,
  peopleWords: `
    attended: attend present attendees participants, absent: apologies excused, teaches: teach taught teacher
    instructor lecturer professor tutor, chaired: chair chairman chairwoman chairperson moderator, wrote: written
    author authors, founded: founder founders, owns: owned owner owners
  `,
  callingWords: 'phone telephone call dial ring hotline',
  meetings: 'meeting',
  meetingRecords: 'minutes',
}
