import type { Language } from './language.ts'

/** German. */
export const GERMAN: Language = {
  code: 'de',
  stemmer: 'german',
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
  months: [
    'januar jänner jan',
    'februar feber feb',
    'märz maerz mrz',
    'april apr',
    'mai',
    'juni jun',
    'juli jul',
    'august aug',
    'september sept sep',
    'oktober okt',
    'november nov',
    'dezember dez',
  ],
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
}
