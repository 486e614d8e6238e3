import { GERMAN_SYNONYMS } from './de-synonyms.ts'
import type { Language } from './language.ts'

/** German. */
export const GERMAN: Language = {
  code: 'de',
  stemmer: 'german',
  genericWords: `
    ankommen ankommt erhalte erhalten erhält Zeit Uhrzeit Datum Tag Tage Woche Wochen Monat Monate Jahr Jahre Stunde
    Stunden Minute Minuten Zeitraum Alter Nummer Zahl Wert Betrag Summe Preis Preise Kosten Name Größe Wort Art
    Weise Ding Leute Person Geld weit lang lange hoch groß klein tief breit schwer schnell oft alt viel viele früh
    spät zusätzlich weitere insgesamt extra maximal mindestens höchstens passieren passiert geschehen bedeutet
    bedeuten benutzen brauche brauchen braucht bekomme bekommt bekommen geben gibt nehmen haben hat gehen kommen
    kommt machen macht fängt aufmachen lautet heißt kosten kostet gekostet bezahlen zahlen bezahlt fordert berechnet
    beginnt endet dauert gilt darf dürfen kann können muss müssen soll sollen wird werden genau derzeit ist sind
    stellen gestellt mitbringen Wochenende findet fand finden statt stattfinden
  `,
  stopWords: 'deu',
  hasCapitalNouns: true,
  askingWords: 'wieviel womit wofür woran wodurch worin wovon',
  questionWords: `
    wer wem wen wessen was wo wohin woher wann warum weshalb wieso wie viel viele wieviel wieviele welche welcher
    welches welchem welchen
  `,
  pronouns: 'Er Sie Es Dies Diese Dieser Diesen Diesem Dieses Sein Seine Ihr Ihre',
  abbreviations: `
    z.b bzw usw d.h u.a o.ä evtl ggf vgl nr art abs bd str inkl zzgl mio mrd tsd hr fr jh chr geb gest u.s.w s.o s.u
    tel
  `,
  irregularForms: `
    backen gebacken, beißen gebissen, beginnen begann begannen begonnen, bieten geboten, binden gebunden, bitten bat
    baten gebeten, bleiben blieb blieben geblieben, brechen bricht brach brachen gebrochen, brennen brannte brannten
    gebrannt, bringen brachte brachten gebracht, denken dachte dachten gedacht, empfangen empfängt empfing
    empfingen, empfehlen empfiehlt empfahl empfahlen empfohlen, essen isst aßen gegessen, fahren fährt fuhr fuhren,
    fallen fällt fiel fielen gefallen, fangen fängt fing fingen gefangen, finden fand fanden gefunden, fliegen flog
    flogen geflogen, fließen floss geflossen, fressen frisst fraß fraßen gefressen, frieren fror froren gefroren,
    geben gibt gab gegeben, gehen ging gingen gegangen, gelten gilt galt galten, geschehen geschieht geschah
    geschahen, gewinnen gewann gewannen gewonnen, gießen goss gossen gegossen, gleichen glich glichen geglichen,
    graben gräbt gegraben, greifen gegriffen, halten hält hielt hielten gehalten, hängen hing hingen gehangen, heben
    hob hoben gehoben, heißen hieß hießen geheißen, helfen hilft half halfen geholfen, kennen kannte kannten
    gekannt, kommen kam kamen gekommen, laden lädt lud luden geladen, lassen lässt ließ ließen gelassen, laufen
    läuft lief liefen gelaufen, leiden litt litten gelitten, leihen lieh liehen geliehen, lesen liest las lasen
    gelesen, liegen lag, lügen gelogen, meiden mied mieden gemieden, messen misst gemessen, nehmen nimmt nahm
    genommen, nennen nannte nannten genannt, pfeifen gepfiffen, reißen gerissen, reiten geritten, rennen rannte
    rannten gerannt, riechen roch rochen gerochen, rufen rief riefen gerufen, schaffen schuf schufen geschaffen,
    entscheiden entschied entschieden, scheinen schien geschienen, schießen schoss schossen geschossen, schlafen
    schläft schlief schliefen geschlafen, schlagen schlägt schlug schlugen geschlagen, schleichen schlich schlichen
    geschlichen, schließen geschlossen, schmelzen schmilzt schmolz schmolzen geschmolzen, schneiden geschnitten,
    schreiben schrieb schrieben geschrieben, schreien schrie schrien geschrien, schweigen schwieg schwiegen
    geschwiegen, schwimmen geschwommen, schwören geschworen, sehen sieht sah sahen gesehen, senden sandte sandten
    gesandt, singen sang sangen gesungen, sinken sank sanken gesunken, sitzen saß saßen gesessen, sprechen spricht
    sprach gesprochen, springen sprang sprangen gesprungen, stehen standen gestanden, stehlen stiehlt gestohlen,
    steigen gestiegen, sterben stirbt starb starben gestorben, stoßen stößt stieß stießen gestoßen, streichen
    gestrichen, streiten stritt stritten gestritten, tragen trägt trug trugen getragen, treffen trifft traf trafen
    getroffen, treiben getrieben, treten trat traten getreten, trinken trank tranken getrunken, tun getan, vergessen
    vergisst vergaß vergaßen vergessen, vermissen vermisst, verlieren verlor verloren, verschwinden verschwand
    verschwanden verschwunden, wachsen wächst wuchs wuchsen gewachsen, waschen wäscht wusch wuschen gewaschen,
    weisen wies gewiesen, biegen bog gebogen, dringen drangen gedrungen, fliehen flohen geflohen, kriechen kroch
    krochen gekrochen, raten rät riet rieten, schieben schob schoben geschoben, schreiten geschritten, stechen
    sticht stach stachen gestochen, empfinden empfand empfanden empfunden, überwinden überwand überwunden, betrügen
    betrog betrogen, erschrecken erschrak erschrocken, verbergen verbirgt verbarg verborgen, verderben verdirbt
    verdarb verdorben, anwenden angewandt angewandte angewandten, werben wirbt warb warben geworben, werfen wirft
    warf warfen geworfen, wiegen wog wogen gewogen, ziehen zog zogen gezogen, zwingen zwang zwangen gezwungen,
    angeboten angeboten, befunden befunden, betrieben betrieben, herzog herzog, nachwuchs nachwuchs, verdacht
    verdacht, betrug betrug, begriffen begriffen, übergriffen übergriffen
  `,
  finalAbbreviations: 'usw',
  openings: 'Der Die Das Es Sie Er Wir Im In',
  shortDates: 'Okt Dez',
  beforeOrdinal: 'der die das dem den des im am vom zum zur beim ab jede[m|n|r|s] ein ein(e|em|en|er|es)',
  afterOrdinal: `
    Jan Feb M(ä|a)r Apr Mai Jun Jul Aug Sep Okt Nov Dez Jahrhundert Jh Jahrtausend Auflage Platz Rang Mal Tag Stock
  `,
  questions: {
    which: '(welche[r|s|m|n]|was für (ein|eine|einen)|wie lautet[en])',
    nouns: {
      percentage: 'Prozent* Anteil*',
      money: 'Preis[es] Kosten Gebühr Gehalt[s|es] Betrag[s|es] Miete[n]',
      date: 'Jahr Jahren Jahre Datum Tag Monat Jahrhundert Jahrzehnt Jahrzehnten',
      measure: 'Gewicht Höhe Breite Tiefe Temperatur Geschwindigkeit',
      number: 'Zahl Anzahl Größe Länge Fläche Alter',
      person: 'Person Präsident König Königin Autor Spieler Wissenschaftler',
      place: 'Stadt Städten Land Ländern Ort Fluss Kontinent Insel Bundesland Region',
      organization:
        'Firma Unternehmen Organisation Universität Mannschaft Partei Gruppe Schule Behörde Team Institution',
      reason: 'Grund Ursache Zweck',
    },
    valueLinks: 'für von bei im in am der des vom zum zur pro mit eines einer',
    values: {
      percentage: 'Prozentsatz *rabatt Anteil *ermäßigung',
      money: `
        *preis[es|e] *kosten *gebühr[en] *gehalt[s] *lohn *miete *kaution *pauschale *beitrag[s] *entgelt *umsatz *gewinn
        *budget *prämie *selbstbeteiligung *zuschlag *bußgeld *zuschuss *taschengeld
      `,
      date: '*datum *termin *stichtag',
      measure: '*gewicht *höhe *breite *tiefe *temperatur *geschwindigkeit *durchmesser *druck',
      identifier: '*nummer *durchwahl IBAN BIC *kennzeichen Telefon Fax Postleitzahl *nr',
      email: 'E_Mail[_Adresse] Mailadresse Email',
      number: '*anzahl *größe *länge *fläche *alter *kapazität *einwohnerzahl',
      duration: '*dauer *frist',
    },
    first: { date: 'wann', person: 'wer wem wen wessen' },
    hasPlainWho: true,
    phrases: {
      percentage: '(wie viel|wieviel) Prozent',
      money: `
        (wie viel|wieviel) (*miete|*gehalt|*lohn|*steuer[n]|Kaution|Rente)
        was (kostet|kosten|kostete|kosteten|zahlt|zahlen|zahlte|bezahlt|bezahlen)
        wie hoch (ist|sind|war|waren|wird) <1-3> *(preis|kosten|gebühr|gehalt|lohn)[s|es|e|en|n]
        wie hoch (ist|sind|war|waren|wird) <1-3> *(miete|betrag|steuer|kaution)[s|es|e|en|n]
        wie viel (Geld|kostet|kosten)
        wie teuer
      `,
      duration: `
        wie lange
        wie viele (Sekunden|Minuten|Stunden|Tage|Wochen|Monate|Jahre)
      `,
      hour: '(wie viel|wieviel) Uhr',
      measure: `
        wie (schwer|breit|tief|dick|schnell|heiß|warm|kalt|laut)
        (wie viel|wieviel|was) wieg(t|en)
      `,
      amount: `
        (wie viel|wieviel) (ist|sind|war|waren|wird|werden|wurde|muss|kann|darf|beträgt)
        (wie viel|wieviel) (bekomm*|erhalt*|zahl?*)
      `,
      identifier: '(wie (lautet|ist|war)|was ist|welche) <1-2> ???*(nummer|kennzeichen|kennung)',
      version: 'welche[r|s|m|n] [!(ist|hat) <1-1> ](Version|Release)',
      number: `
        (wie viel|wieviel)[e]
        wie oft
        wie (groß|hoch|weit|lang|alt)
      `,
      parties: `
        wer sind die [beiden] [Vertrags](Parteien|Partner)
        zwischen wem
      `,
      permission: `
        ^ (darf|dürfen)
        ^ (kann|können) (ich|man|wir)
        ^ (ist|sind) <1-4> (erlaubt|verboten|gestattet) $
      `,
      place: `
        wo
        woher
        wohin
      `,
      reason: `
        warum
        weshalb
        wieso
        weswegen
      `,
    },
    timeNouns: 'Zeit Uhr Minuten Stunden Tage Wochen Monate Jahre',
    whether: `
      gibt es
      hat
      haben
      besitzt
      enthält
      bietet
    `,
    whatIs: '(was|wer) (ist|sind|war|waren)',
    requests: `
      [bitte] (sag|sagt|sagen Sie|nenn|nennt|nennen Sie|zeig|zeigen Sie) (mir|uns)[ bitte][,] (wer|wen|wem|was|wann|wo*)
      [bitte] (sag|sagt|sagen Sie|nenn|nennt|nennen Sie|zeig|zeigen Sie) (mir|uns)[ bitte][,] (warum|wie*|welche*|ob)
      (ich|wir) (möchte[n]|würde[n] gern[e]|will|wollen) wissen
      (ich|wir) (wüsste[n]|hätte[n]) gern[e]
      [bitte] teilen Sie (mir|uns) mit
    `,
    unmarked: `
      (wer|wen|wem|was|wann|wo|woher|wohin|warum|wieso|wie) (ist|sind|war|waren|hat|haben|hatte|kann|können|muss|müssen)
      (wer|wen|wem|was|wann|wo|woher|wohin|warum|wieso|wie) (darf|soll|wird|wurde|gibt|geht|kommt|komme|bekomme|weiß)
      wie (viel[e]|lange|oft|weit|alt|spät|teuer)
      (hat|weiß|kann|ist) (jemand|einer|wer)
    `,
    labels: 'Frage',
    unknown: `
      keine Ahnung
      (weiß|weiss) (ich )(auch )nicht
      (weiß|weiss) (es|das) (auch )nicht
      nicht sicher
      keinen (Schimmer|Plan)
      (überfragt|woher soll ich das wissen|gute Frage)
    `,
    conditions: 'wenn falls während sobald solange',
    situations: 'während wenn',
    how: `
      wie <0-1> (ich|man|wir|du)
      (welche|was sind die) Schritte
    `,
    howMany: '(wie viel|wieviel)[e]',
    howOften: 'wie (oft|häufig)',
    temperatures: `
      wie (heiß|warm|kalt)
      (welche|wie [(hoch|lautet) ][(ist|war) ][die ])*temperatur[en]
    `,
    sizes: 'wie (tief|breit|dick|schwer)',
    addresses: `
      E Mail Adresse
      Mailadresse
    `,
    about: `
      (hat|haben|besitzt|enthält|enthalten) [(der|die|das|den|dies*|mein*|eure|euer|ihr|ihre)] <1-1> {…}
      (bietet|deckt|umfasst) [(der|die|das|den|dies*|mein*|eure|euer|ihr|ihre)] <1-1> {…}
    `,
    fillers: `
      {[(bis|ab|um|von|seit)] (wie viel|wieviel) Uhr}
      wie {(hoch|lang[e]|viel[e])}
      {(bedeutet|bedeuten)}
      was {passiert}(, | )wenn
      (wie viel|wieviel) {Zeit}
      welche[r|s] {Version}
      (was|viel) {(koste|kosten|kostet|kosten|kostete|kosteten)}
    `,
    relations: `
      wo[her] {(bekomme|kriege|finde|erhalte|bekommt|findet|erhält)}
      wer (ist|sind|war) {(zuständig|verantwortlich|Ansprechpartner[in])}
      wer (ist|sind|war) … {(zuständig|verantwortlich|Ansprechpartner[in])}
      wer {(kümmert sich|betreut)}
      (wen|wem) {(frage|fragen|kontaktiere|schreibe|rufe|wende)}
    `,
    permission: '^(ist|sind) … {(erlaubt|gestattet)}',
    rewrites: {
      anwesend: `
        wer {(war|waren|war alles|waren alles)} (bei|auf|in|da|dabei)
        wer {(nahm|nahmen)} … teil
      `,
      entschuldigt: 'wer {(konnte|konnten|kam|kamen|war|waren) nicht}',
    },
  },
  answers: {
    open: 'schließt schließen offen geöffnet öffnet öffnen Öffnungszeit[en] Sprechzeit[en] Sprechstunde[n]',
    closed: 'geschlossen[e|er|en] Ruhetag[e|en]',
    versions: 'Version Fassung Ausgabe Auflage Revision Stand Neufassung aktualisiert[e|er|es] überarbeitet[e|er|es]',
    beforeYears: 'im seit Jahr[e] Frühling Sommer Herbst Winter',
    monthPatterns: `
      Jan[uar] Feb[ruar] März Mär Apr[il] Mai Juni Jun Juli Jul Aug[ust] Sep[t|tember] Okt[ober] Nov[ember] Dez[ember]
    `,
    weekdays: `
      (M|m)ontag[s|es|e|en] (D|d)ienstag[s|es|e|en] (D|d)onnerstag[s|es|e|en] (F|f)reitag[s|es|e|en]
      (S|s)amstag[s|es|e|en] (S|s)onntag[s|es|e|en] (M|m)ittwoch[s|es|e|en]
    `,
    centuries: 'Jahrhundert[s] Jahrzehnt',
    numbers: `
      ein[e|er|em|en|es] zwei drei vier fünf sechs sieben acht neun zehn elf zwölf
      (drei|vier|fünf|sech|sieb|acht|neun)zehn [(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und]zwanzig
      [(ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und](drei(ß|ss)|(vier|fünf|sech|sieb|acht|neun)z)ig hundert
      tausend Million[en] Milliarde[n] Hälfte
    `,
    timeUnits: 'Sekunde[n] Minute[n] Stunde[n] Tage[n] Woche[n] Monate[n] Jahre[n] Jahrzehnte[n]',
    hours: 'eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf',
    clock: '(um|bis|ab|gegen|halb) <hour>',
    clockWithUnit: '(#[#][(:|.)##]|<hour>)[ ]Uhr',
    afterHour: 'am im und oder bis jeden heute morgen',
    until: 'bis bis_zum',
    lasting: 'für_(ein|eine|einen)',
    rangeTo: 'bis',
    percent: 'Prozent',
    fractions: 'Hälfte Drittel Viertel',
    currencies: 'Franken Rappen Pfund Kronen Rubel',
    millions: 'Millionen Milliarden',
    measures: `
      Gramm Kilo[gramm] Tonne[n] Meter[n] (Quadrat|Kubik)[kilo|zenti|dezi|milli]* Liter Grad (D|d)ezibel
    `,
    between: 'zwischen',
    and: 'und',
    permission: `
      (J|j)a (N|n)ein darf dürfen kann können muss müssen erlaubt gestattet zulässig verboten untersagt möglich nur
    `,
    reasons: 'weil wegen aufgrund damit um_zu dank',
    causes: 'da denn deshalb daher darum nach zu[m|r] für sonst noch fehl* nicht kein* um infolge durch',
    times: `
      *tag* *woche* *monat* *jahr* *stunde* *minute* *quartal* *abend* *nacht* *morgen* *mittag* heute gestern täglich
      wöchentlich monatlich jährlich stündlich sofort immer nie oft selten vor nach bevor nachdem bis während seit
      sobald wenn als jede[r|s|n|m] bald später früher jetzt Frühling Sommer Herbst Weihnachten Ostern Anfang Ende
    `,
    degrees: 'Grad',
    frequencies: 'mal *mal alle jede* pro nie immer',
    amounts: `
      kein* nichts kostenlos gratis umsonst frei mehrere* viele* wenige* einige* alle* beide* *zehn* *zig* *ßig*
      *hundert* *tausend* doppelt* Drittel Viertel
    `,
    prices: `
      (Monats|Kalt|Warm|Netto|Brutto)[monats](miete|mieten|gehalt|gehalts|gehälter|gehältern|löhne|löhnen)
      kostenlos* kostenfrei* gebührenfrei* gratis umsonst frei* nichts inbegriffen enthalten Spende*
    `,
    people: 'Chef er sie wir niemand alle jeder',
    peopleEndings: 'er ist mann frau leute',
    peopleInflections: 'en in innen',
    noNames: `
      Der Die Das Ein Eine Es Dies Diese Im Am Auf Bei Mit Von Vom Zu Zur Zum Für Als Wenn Nach Vor Seit Bis Und Aber
      Oder Nicht Kein Keine Alle Jede Jeder
    `,
    nameParticles: 'von der und',
    procedures: 'Zubereitung Anleitung Vorgehen Ablauf Schritte Durchführung',
    steps: 'Schritt',
    clauses: 'Artikel Ziffer Abschnitt',
  },
  negation: {
    words: `
      nicht nie kein* ohne außer ausgeschlossen* Ausschluss* Ausschlüsse* Ausnahme[n] verboten* untersagt entfernt*
      entfallen
    `,
    harmless: 'not',
  },
  definitions: {
    articles: 'ein[e|er|en|em|es] der die das',
    copulas: 'ist sind war waren',
    verbs: 'bezeichnet bedeutet',
  },
  statements: {
    modals: 'darf dürfen',
    copulas: 'ist sind wird werden',
    negations: 'nicht nie',
    negatedArticles: 'kein*',
    without: 'ohne',
    uncertain: 'kann können könnte',
    conditions: 'ohne sofern wenn nur außer falls vorbehaltlich es_sei_denn',
  },
  synonyms: GERMAN_SYNONYMS,
  measureWords: `
    heavy: schwer gewicht wiegen wiegt, long: lang länge dauer dauert, high: hoch höhe, wide: breit breite, deep: tief
    tiefe, loud: laut lautstärke geräusch, fast: schnell geschwindigkeit, big: groß größe fläche, old: alt alter, hot:
    heiß temperatur, begin: beginnt beginn, end: endet ablauf, leave: urlaub urlaubstage ferien, open: öffnet geöffnet
    öffnungszeiten schließt schließen, watt: leistung, expensive: teuer kosten kostet preis gesamtpreis kaufpreis
    stückpreis endpreis
    gebühr, depart: abfahrt abf abfahren abfährt fährt, arrive: ankunft ank ankommen ankommt
  `,
  peopleWords: `
    attended: anwesend anwesende teilgenommen teilnehmer, absent: abwesend entschuldigt fehlte fehlten, teaches:
    unterrichtet lehrt dozent dozentin lehrer lehrerin, chaired: vorsitz vorsitzender vorsitzende sitzungsleitung,
    wrote: geschrieben verfasst autor autorin verfasser verfasserin, founded: gegründet gründer gründerin gründete,
    owns: gehört eigentümer eigentümerin besitzer
  `,
  callingWords: 'telefon telefonnummer anrufen rufen',
  meetings: 'sitzung besprechung versammlung',
  meetingRecords: 'protokoll niederschrift',
}
