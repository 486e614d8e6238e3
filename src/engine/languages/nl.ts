import type { Language } from './language.ts'

/** Dutch. */
export const DUTCH: Language = {
  code: 'nl',
  stemmer: 'dutch',
  stopWords: 'nld',
  askingWords: 'wie wat wanneer waar hoe waarom welk welke hoeveel waarmee waarvan',
  questionWords: 'wie waar wanneer waarom hoe hoeveel welk welke',
  abbreviations: 'bijv blz enz o.a t.a.v',
  months: [
    'januari jan',
    'februari feb',
    'maart mrt',
    'april apr',
    'mei',
    'juni jun',
    'juli jul',
    'augustus aug',
    'september sep',
    'oktober okt',
    'november nov',
    'december dec',
  ],
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
}
