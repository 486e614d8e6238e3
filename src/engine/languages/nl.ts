import type { Language } from './language.ts'

/** Dutch. */
export const DUTCH: Language = {
  code: 'nl',
  stemmer: 'dutch',
  genericWords: `
    aankomen aankomt ontvangen ontvang ontvangt tijd tijdstip datum dag dagen week weken maand maanden jaar jaren
    uur uren minuut minuten periode moment leeftijd nummer aantal waarde bedrag som prijs prijzen kosten naam
    grootte maat woord soort manier ding dingen mensen persoon personen ver lang lange hoog groot klein diep breed
    zwaar snel vaak oud veel vroeg laat jonger ouder extra maximaal minimaal totaal gebeurt gebeuren betekent
    gebruiken nodig krijgen krijg geven geeft nemen hebben heeft gaan gaat komen doen maken zetten zeggen weten zien
    vinden houden beginnen begint eindigen duurt duren kost betalen betaal betaalt mag mogen kan kunnen moet moeten
    hoef hoeft precies momenteel klaar
  `,
  beforeNouns: `
    de het een mijn ons onze uw zijn haar hun deze dit die dat van in op aan voor met zonder bij door over onder
    tussen tijdens na naar uit per hoeveel elke elk geen
  `,
  stopWords: 'nld',
  askingWords: 'wie wat wanneer waar hoe waarom welk welke hoeveel waarmee waarvan',
  questionWords: 'wie waar wanneer waarom hoe hoeveel welk welke',
  abbreviations: 'bijv blz enz o.a t.a.v',
  irregularForms: `
    beginnen begon begonnen, bieden bood boden geboden, bijten gebeten, binden bonden gebonden, blijven bleef bleven
    gebleven, breken brak braken gebroken, brengen bracht brachten gebracht, denken dacht dachten gedacht, dragen
    droeg droegen gedragen, drinken dronk dronken gedronken, eten aten gegeten, gaan ging gingen gegaan, geven gaf
    gaven gegeven, genieten genoten, grijpen grepen gegrepen, hangen hing hingen gehangen, helpen hielp hielpen
    geholpen, houden hield hielden gehouden, kiezen koos kozen gekozen, kijken keek keken gekeken, komen kwam kwamen
    gekomen, kopen kocht kochten gekocht, krijgen kreeg kregen gekregen, laten liet lieten gelaten, lezen las lazen
    gelezen, liggen lag lagen gelegen, lopen liep liepen gelopen, nemen nam namen genomen, rijden reed reden
    gereden, roepen riep riepen geroepen, schenken schonk schonken geschonken, schieten schoot schoten geschoten,
    schrijven schreef schreven geschreven, slaan sloeg sloegen geslagen, slapen sliep sliepen geslapen, sluiten
    gesloten, snijden sneed sneden gesneden, spreken sprak spraken gesproken, springen gesprongen, staan stond
    stonden gestaan, stelen gestolen, sterven stierf stierven gestorven, stijgen steeg stegen gestegen, treffen trof
    troffen getroffen, trekken trok trokken getrokken, vallen viel vielen gevallen, vangen ving vingen gevangen,
    verliezen verloor verloren, vergeten vergat vergaten, vinden vond vonden gevonden, vliegen vloog vlogen
    gevlogen, vragen gevraagd, winnen won wonnen gewonnen, werpen wierp wierpen geworpen, weten wist wisten geweten,
    zeggen zei zeiden gezegd, zenden zond zonden gezonden, zien zag zagen gezien, zingen zong zongen gezongen,
    zitten zat zaten gezeten, zoeken zocht zochten gezocht, zwemmen zwom zwommen gezwommen, kind kinderen, stad
    steden, schip schepen
  `,
  finalAbbreviations: 'enz',
  questions: {
    which: 'welk[e]',
    nouns: {
      percentage: 'procent*',
      money: 'prijs',
      date: 'jaar dag maand eeuw',
      number: 'aantal',
      person: 'speler koning president',
      place: 'stad land gebied plaats',
      organization: 'bedrijf organisatie universiteit team',
      reason: 'reden oorzaak',
    },
    values: {
      percentage: '*percentage *korting',
      money: '*prijs *kosten *huur *borg *tarief *boete *bijdrage *salaris *loon *vergoeding *bedrag *contributie',
      date: '*datum',
      measure: '*gewicht *hoogte *breedte *diepte *temperatuur *snelheid',
      identifier: '*nummer telefoon fax iban postcode',
      email: 'e_mail[adres] email[adres] mailadres',
      number: '*aantal *oppervlakte *lengte *leeftijd *capaciteit',
      duration: '*duur *termijn',
    },
    first: { date: 'wanneer', person: 'wie_is wie_was wie_heeft' },
    interrogatives: 'wat wie welk[e] hoe waar waarom',
    phrases: {
      money: `
        hoeveel (huur|salaris|loon)
        hoeveel (kost|geld)
      `,
      duration: `
        (hoe lang|hoelang)
        hoeveel (tijd|minuten|uur|dagen|weken|maanden|jaar)
      `,
      hour: 'hoe laat',
      version: 'welke <0-1> (versie|version|release)',
      number: `
        hoeveel
        hoe (vaak|ver|groot|hoog|oud)
      `,
      parties: `
        wie zijn de partijen
        tussen wie
      `,
      permission: '^ (mag ik|mogen we)',
      place: `
        waar
        waarheen
      `,
      reason: 'waarom',
    },
    whether: `
      heeft
      is er
      zijn er
    `,
    whatIs: '(wat|wie) (is|zijn|was)',
    requests: `
      (zeg|zegt u|vertel|vertelt u) (me|mij|ons)[ even] (wie|wat|wanneer|waar|hoe|welke|of)
      (ik|wij|we) (wil|willen|zou|zouden) [graag] [willen] weten
      kunt u (me|mij|ons) (zeggen|vertellen)
    `,
    unmarked: `
      (wie|wat|wanneer|waar|waarom|hoe) (is|zijn|was|waren|heeft|hebben|kan|kunnen|moet|moeten|mag)
      hoe (veel|lang|vaak|laat|oud|ver)
      hoeveel
      weet iemand
    `,
    labels: 'Vraag',
    unknown: `
      geen idee
      (weet|wist) (ik|het|dat) [het|dat] [ook] niet
      niet zeker
      (goede vraag|geen flauw idee)
    `,
    conditions: 'als wanneer terwijl zolang',
    situations: 'terwijl tijdens',
    how: `
      welke stappen
      hoe <0-1> (ik|je|u|we|wij|men)
    `,
    howMany: 'hoeveel',
    howOften: 'hoe vaak',
    temperatures: `
      hoe (warm|heet|koud)
      (welke|wat is de) *temperatuur
    `,
    sizes: 'hoe (diep|breed|dik|zwaar)',
    addresses: '(e mailadres|emailadres|mailadres)',
    fillers: `
      {[tot] hoe laat}
      {(betekent|betekenen)}
      welke {versie}
    `,
  },
  answers: {
    open: 'sluit sluiten open geopend opent openingstijden',
    closed: 'gesloten',
    versions: 'versie editie uitgave herzien[e]',
    beforeYears: 'in sinds jaar lente zomer herfst winter',
    monthPatterns: 'januari februari maart mei augustus',
    weekdays: '(maan|dins|woens|donder|vrij|zater|zon)dag[en]',
    centuries: 'eeuw',
    numbers: `
      twee drie vier vijf zes zeven acht negen tien elf twaalf
      (der|veer|vijf|zes|zeven|acht|negen)tien [(een|twee|drie|vier|vijf|zes|zeven|acht|negen)(en|ën)]twintig
      (der|veer|vijf|zes|zeven|tach|negen)tig honderd duizend miljoen helft
    `,
    timeUnits: 'uur uren dagen weken maanden jaar jaren',
    hours: 'één twee drie vier vijf zes zeven acht negen tien elf twaalf',
    clock: 'om (<hour>|<figures>)',
    afterHour: 'op en tot elke',
    until: 'tot',
    lasting: 'voor_een',
    percent: 'procent',
    measures: 'meter liter',
    between: 'tussen',
    and: 'en',
    permission: 'mag mogen toegestaan verboden',
    reasons: 'omdat vanwege doordat zodat',
    causes: 'door want wegens voor na nog om_te zodat geen niet',
    times: `
      middag middernacht ochtend avond nacht vandaag gisteren dagelijks wekelijks maandelijks jaarlijks meteen altijd
      nooit vaak voor na tot tijdens sinds zodra wanneer elk[e] lente zomer herfst dag* week weken maand* jaar jaren
      uur uren einde
    `,
    degrees: 'graden',
    frequencies: 'keer elke per',
    amounts: 'geen niets meerdere veel alle beide',
    prices: 'niets inbegrepen',
    people: 'hij zij niemand iedereen',
    nameParticles: 'van der',
    procedures: 'Bereiding Werkwijze',
    steps: 'Stap',
    clauses: 'Artikel',
  },
  negation: { words: 'niet geen zonder uitgesloten uitsluiting*', harmless: 'pas' },
  definitions: {
    articles: 'een het de',
    copulas: 'is zijn was',
  },
  statements: {
    copulas: 'is was',
    negations: 'niet',
    negatedArticles: 'geen',
    without: 'zonder',
    conditions: 'tenzij zonder alleen mits behalve indien',
  },
  measureWords: 'long: lang lengte duur duurt duren, depart: vertrek vertrekt, arrive: aankomst',
  synonyms: {
    reference: 'kenmerk referentie',
    email: 'e-mailadres',
    phone: 'telefoon telefoonnummer mobiel',
    address: 'adres',
    deputy: 'plaatsvervangend plaatsvervangende',
    customer: 'klant koper afnemer opdrachtgever',
    supplier: 'leverancier verkoper',
    recipient: 'ontvanger',
    sender: 'afzender',
    invoice: 'factuur',
    issue: 'uitgegeven afgegeven',
    due: 'vervaldatum vervaldag uiterste_betaaldatum',
    total: 'totaal totaalbedrag te_betalen',
    subtotal: 'subtotaal',
    amount: 'bedrag',
    tax: 'btw',
    rate: 'tarief',
    discount: 'korting',
    shipping: 'verzending levering',
    deposit: 'borg waarborgsom',
    prepayment: 'aanbetaling',
    price: 'prijs',
    cost: 'kosten',
    salary: 'salaris loon',
    rent: 'huur huurprijs',
    start: 'aanvang ingangsdatum',
    end: 'einde einddatum',
    duration: 'looptijd duur',
    paid: 'betaald',
    payment: 'betaling',
    notice: 'opzegtermijn',
    birth: 'geboortedatum geboren',
    birthplace: 'geboorteplaats',
    sign: 'handtekening ondertekend',
    agreement: 'overeenkomst contract',
    employee: 'werknemer',
    employer: 'werkgever',
    tenant: 'huurder',
    landlord: 'verhuurder',
    quantity: 'aantal hoeveelheid',
    maximum: 'hoogstens',
    minimum: 'minstens',
    order: 'bestelling',
    quote: 'offerte',
    insurer: 'verzekeraar',
    insurance: 'verzekering',
    policyholder: 'verzekeringnemer',
    policy: 'polis',
    warranty: 'garantie',
    month: 'maand maanden maandelijks',
    year: 'jaar jaren jaarlijks',
    day_count: 'dag dagen',
    week: 'weken',
    hour: 'uur uren',
    excess: 'eigen_risico',
    permit: 'toegestaan',
    prohibit: 'verboden',
    include: 'inbegrepen',
  },
  ownSynonyms: {
    name: 'naam',
  },
}
