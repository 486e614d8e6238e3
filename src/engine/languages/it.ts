import type { Language } from './language.ts'

/** Italian. */
export const ITALIAN: Language = {
  code: 'it',
  stemmer: 'italian',
  genericWords: `
    arrivare arriva arrivano ricevere riceve ricevo ora ore data date giorno giorni settimana settimane mese mesi
    anno anni minuto minuti periodo momento tempo età numero quantità valore importo somma prezzo prezzi tariffa
    costo nome misura parola tipo genere modo maniera cosa cose gente persona persone lontano lungo alto grande
    piccolo profondo largo pesante veloce spesso vecchio molto presto tardi supplementare massimo minimo totale
    anticipo succede succedere accade significa usare bisogno avere ha dare prendere fare fa mettere andare venire
    dire sapere vedere trovare tenere iniziare inizia finire durare dura costare costa pagare paga vale può possono
    deve devono fino portare trasportare esattamente attualmente
  `,
  beforeNouns: `
    il lo la i gli le l un uno una di del dello della dei degli delle d a al allo alla ai agli alle da dal dalla in
    nel nella nei con su sul sulla per tra fra senza contro mio mia suo sua nostro nostra loro questo questa quel
    quella quanto quanta quanti quante ogni nessun
  `,
  stopWords: 'ita',
  askingWords: 'chi che cosa quando dove come perché quanto quanta quanti quante quale quali',
  questionWords: 'chi che cosa dove quando perche come quanto quanta quanti quante quale quali',
  auxiliaries: 'fu furono sarà saranno può possono posso poteva potere deve devono devo dovere bisogna',
  abbreviations: 'sig sigg dott dott.ssa ing avv ecc',
  irregularForms: `
    aprire aperto aperta aperti aperte, bere bevve bevuto bevuta bevuti bevute beve bevono, chiedere chiese chiesero
    chiesto chiesta chiesti chieste, chiudere chiuso chiusa chiusi chiuse chiusero, conoscere conobbe conosciuto
    conosciuta conosciuti conosciute, decidere deciso decisa decisi decise decisero, dire disse dissero detto detta
    detti dette dice dicono, dividere diviso divisa divisi divise, fare fece fecero fatto fatta fatti fatte faceva
    facevano fanno, leggere lesse lessero, mettere mise misero, morire morì morirono muore muoiono, muovere mosso
    mossa mossi mosse mossero, nascere nacque nacquero, offrire offerto offerta offerti offerte, perdere perso persa
    persi perse persero, piacere piacque, prendere preso presa presi prese presero, ridere rise risero, rimanere
    rimase rimasero rimasto rimasta rimasti rimaste rimane, rispondere rispose risposero, rompere ruppe ruppero
    rotto rotta rotti rotte, sapere seppe seppero, scegliere scelse scelsero scelto scelta scelti scelte, scendere
    sceso scesa scesi scese scesero, scrivere scrisse scrissero scritto scritta scritti scritte, spendere speso
    spesa spesi spese, spegnere spento spenta spenti spente, tenere tenne tennero tiene tengono, uccidere ucciso
    uccisa uccisi uccise uccisero, uscire esce escono, vedere vide videro visto vista visti viste, venire venne
    vennero venuto venuta venuti venute viene, vincere vinse vinsero vinto vinta vinti vinte, vivere visse vissero
    vissuto vissuta vissuti vissute vive vivono, produrre produsse producono, tradurre tradotto tradotta tradotti
    tradotte tradusse, uomo uomini, uovo uova
  `,
  finalAbbreviations: 'ecc',
  openings: 'Il La Le In',
  questions: {
    which: '(che|quale|quali|qual)',
    nouns: {
      percentage: 'percentuale*',
      money: 'prezzo salario',
      date: 'anno anni data giorno secolo',
      measure: 'peso temperatura',
      number: 'numero popolazione',
      person: 'autore presidente re',
      place: 'città paese luogo fiume isola',
      organization: 'azienda società organizzazione squadra',
      reason: 'causa motivo',
    },
    values: {
      percentage: 'percentuale sconto',
      money: 'prezzo costo importo tariffa affitto cauzione stipendio quota multa canone deposito franchigia fatturato',
      date: 'data scadenza',
      measure: 'peso altezza larghezza profondità temperatura velocità diametro',
      identifier: 'numero_di_(telefono|ordine|conto|cliente) telefono fax iban cap',
      email: 'indirizzo_(email|e_mail|mail) email e_mail',
      number: 'numero superficie lunghezza capienza capacità età',
      duration: 'durata termine',
    },
    first: { date: 'quando', person: 'chi' },
    interrogatives: 'che chi cosa come quale quali quant(o|a|i|e) dove perché',
    phrases: {
      money: `
        quanto (affitto|stipendio|salario)
        quanto cost*
      `,
      duration: 'quant(o|a|i) (tempo|minuti|ore|giorni|settimane|mesi|anni)',
      measure: 'quanto pesa[no]',
      hour: 'che ora',
      identifier: '(numero|codice) (di|del) (telefono|ordine|fattura|cliente|conto|contratto)',
      version: 'quale [!(è) <1-1> ](versione|version|release)',
      number: 'quant(o|a|i|e)',
      parties: `
        chi sono le [due] parti
        tra chi
      `,
      permission: '^ (posso|si può)',
      place: 'dove',
      reason: 'perché',
    },
    whether: `
      c è
      ci sono
    `,
    whatIs: `
      [che] cos (è|era)
      [che] cosa (è|sono)
      chi (è|sono|era)
    `,
    requests: `
      (mi|ci) (dica|dite|può dire|sa dire)
      (dimmi|dicci) (chi|che|cosa|quando|dove|come|quanto|quale|se)
      (vorrei|vorremmo) sapere
    `,
    unmarked: `
      (chi|che cosa|cosa|quando|dove|come|quanto|qual|quale|perché) (è|sono|era|ha|hanno|può|deve|costa|costano)
      (dov|quand|com|cos)('|’)è
      qualcuno sa
    `,
    labels: 'Domanda',
    unknown: `
      (non [lo|ne] so|boh)
      nessuna idea
      non (ne ho|ho) [la minima] idea
      non (sono sicur(o|a)|ricordo|mi ricordo)
      (chi lo sa|buona domanda)
    `,
    conditions: 'se quando mentre',
    situations: 'mentre durante',
    how: `
      quali [sono i] passaggi
      come (si|posso|possiamo|devo|faccio|fare|*(are|ere|ire))
    `,
    howMany: 'quant(i|e|o|a)',
    howOften: '(quante volte|ogni quanto)',
    temperatures: `
      (che|qual|quale) [e ][la ]temperatura
      quanti gradi
    `,
    addresses: 'indirizzo (email|e mail|mail)',
    fillers: `
      {[fino] a che ora}
      {(significa|significano)}
      cosa {(vuol|vogliono) dire}
      quanto {tempo}
      quale {versione}
    `,
  },
  answers: {
    open: 'chiude chiudono apert(o|a|i|e) apre aprono apertura orari[o]',
    closed: 'chius(o|a|i|e|ura)',
    versions: 'versione edizione revisione aggiornat(o|a)',
    beforeYears: 'nel dal anno primavera estate autunno inverno',
    monthPatterns: `
      gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre
    `,
    weekdays: '(lune|marte|mercole|giove|vener)dì sabato domenica',
    centuries: 'secol(o|i)',
    numbers: `
      due tre quattro cinque sei sette otto nove dieci undici dodici (tre|quattor|quin|se)dici dici(assette|otto|annove)
      venti vent(uno|otto) venti(due|tré|tre|quattro|cinque|sei|sette|nove) trenta quaranta
      (cinqu|sess|sett|ott|nov)anta
      cento milioni metà mille
    `,
    timeUnits: 'secondi minuti or(a|e) giorn(o|i) settiman(a|e) mes(e|i) ann(o|i)',
    hours: 'una due tre quattro cinque sei sette otto nove dieci undici dodici',
    clock: "all('|’|e)[ ](<hour>|[ore ]<figures>)",
    afterHour: 'di del e fino da',
    until: 'fino_a[l]',
    lasting: 'per_(un|una)',
    percent: 'per_cento',
    fractions: 'metà',
    between: 'tra fra',
    and: 'e ed',
    permission: '(S|s)ì può possono vietat(o|a|i|e) consentit(o|a|i|e)',
    reasons: 'poiché perché affinché',
    causes: 'per dato_che siccome poiché a_causa quindi dopo ancora manca*',
    times: `
      mezzogiorno mezzanotte mattin* pomeriggio sera notte oggi ieri domani settiman* mensil* subito sempre mai prima
      dopo fino ogni estate autunno inverno Natale Pasqua giorn* mes(e|i) ann(o|i) or(a|e) fine inizio
    `,
    degrees: 'grad(o|i)',
    frequencies: 'volte volta ogni al alla',
    amounts: 'nessun* niente molt(i|e) poch(i|e) tutt(i|e) alcun(i|e)',
    prices: 'mensilità niente compres(o|i)',
    people: 'lui lei nessuno tutti',
    peopleEndings: 'tore trice ante ente',
    nameParticles: 'di da la le',
    procedures: 'Preparazione Procedimento',
    steps: 'Passaggio',
    clauses: 'Articolo Clausola',
  },
  negation: { words: 'senza vietat* esclus!(iv)?* non' },
  definitions: {
    articles: 'il i gli la le un[a]',
    copulas: 'è sono',
    verbs: 'significa',
  },
  statements: {
    negations: 'non',
    negatedArticles: 'nessun*',
    without: 'senza',
    conditions: 'salvo senza solo tranne previo previa purché',
  },
  callingWords: 'telefono chiamare chiami',
  measureWords:
    'long: lungo lunghezza durata dura durano, depart: partenza partenze partire, arrive: arrivo arrivi arriva',
  synonyms: {
    number: 'numero',
    reference: 'riferimento',
    email: 'posta_elettronica',
    phone: 'telefono cellulare',
    website: 'sito sito_web',
    address: 'indirizzo',
    deputy: 'vicedirettore vicedirettrice supplente',
    support: 'servizio_clienti assistenza_clienti',
    customer: 'acquirente committente',
    supplier: 'fornitore venditore',
    recipient: 'destinatario',
    sender: 'mittente',
    invoice: 'fattura',
    issue: 'emissione data_di_emissione emessa',
    due: 'scadenza data_di_scadenza',
    total: 'totale_da_pagare totale_fattura importo_totale totale',
    subtotal: 'imponibile',
    net: 'netto importo_netto',
    gross: 'lordo',
    amount: 'importo',
    rate: 'aliquota tasso',
    discount: 'sconto',
    shipping: 'spedizione consegna',
    deposit: 'cauzione',
    prepayment: 'acconto',
    fee: 'compenso',
    price: 'prezzo',
    cost: 'costo costi spese',
    salary: 'stipendio retribuzione',
    rent: 'affitto canone',
    start: 'inizio decorrenza',
    end: 'termine_finale data_di_fine',
    duration: 'durata',
    paid: 'pagato pagata',
    payment: 'pagamento',
    period: 'periodo',
    notice: 'preavviso',
    birth: 'nascita data_di_nascita nato nata',
    birthplace: 'luogo_di_nascita',
    sign: 'firmato',
    employee: 'dipendente lavoratore',
    employer: 'datore_di_lavoro',
    tenant: 'conduttore inquilino',
    landlord: 'locatore',
    quantity: 'quantità',
    maximum: 'massimo massima',
    minimum: 'minimo minima',
    order: 'ordine',
    quote: 'preventivo',
    insurer: 'assicuratore',
    insurance: 'assicurazione',
    policy: 'polizza',
    warranty: 'garanzia',
    city: 'città',
    country: 'paese',
    month: 'mese mesi mensile',
    year: 'anno anni annuo annuale',
    day_count: 'giorno giorni',
    week: 'settimana settimane',
    hour: 'ora ore',
    surname: 'cognome',
    excess: 'franchigia',
    permit: 'consentito consentita ammesso ammessi ammessa permesso permessi',
    prohibit: 'vietato vietata vietati',
  },
  ownSynonyms: {
    date: 'data',
    sign: 'firma',
    street: 'via',
    duration: 'termine',
    within: 'entro',
    name: 'nome',
    tax: 'iva',
  },
}
