import type { Language } from './language.ts'

/** French. */
export const FRENCH: Language = {
  code: 'fr',
  stemmer: 'french',
  genericWords: `
    arriver arrivent reçu recevoir reçoit heure heures date dates jour jours semaine semaines mois an ans année
    années minute minutes période moment durée âge numéro nombre valeur montant somme prix tarif coût frais nom
    taille mot sorte type façon manière chose choses gens personne personnes loin long longtemps haut grand petit
    profond large lourd vite rapide souvent vieux beaucoup tôt tard supplémentaire maximum minimum total passe
    passer arrive signifie utiliser besoin avoir donner prendre faire fait mettre aller venir dire savoir voir
    trouver garder conserver commencer commence finir finit durer dure coûter coûte payer paie paye occupe joindre
    prévu possible exactement actuellement faut peut peuvent doit doivent privés
  `,
  beforeNouns: `
    le la les l un une des du de d mon ma mes notre nos votre vos son sa ses leur leurs ce cet cette ces au aux à en
    dans sur pour par avec sans sous chez entre contre vers avant après pendant depuis    
    combien chaque tout toute tous aucun aucune
  `,
  stopWords: 'fra',
  askingWords: 'qui quoi quand où comment pourquoi combien quel quelle quels quelles lequel laquelle lesquels',
  questionWords: 'qui que quoi quel quelle quels quelles ou quand pourquoi comment combien est ce',
  auxiliaries: 'peut peuvent peux puis pouvait pouvoir doit doivent dois devoir faut fait font faire',
  pronouns: 'Il Ils Elle Elles Cet Cette Ce Ces Sa Son Ses Leur Leurs',
  abbreviations: 'mme mlle av env p.ex c.-à-d n° éd réf',
  irregularForms: `
    apprendre appris apprise apprises apprit apprirent apprend apprennent, comprendre comprit comprirent, prendre
    pris prise prises prit prirent, mettre mis mise mises mit mirent, permettre permit permirent, promettre promit,
    boire burent boivent, connaître connu connue connues connus connut, courir couru courue courues courus courut
    coururent, découvrir découvert découverte découvertes découverts, devenir devenu devenue devenues devenus devint
    devinrent, dire dit dite dites dits disent, écrire écrit écrite écrites écrits écrivit écrivent, faire fait
    faite faites faits firent font, lire lut lisent, mourir mort morte mortes morts mourut moururent meurt, naître
    naquit naquirent, offrir offert offerte offertes offerts, ouvrir ouvert ouverte ouvertes ouverts, obtenir obtenu
    obtenue obtenues obtenus obtint obtinrent obtient, perdre perdu perdue perdues perdus, recevoir reçut reçurent
    reçoit reçoivent, rendre rendu rendue rendues rendus, savoir sut surent sait savent, souffrir souffert soufferte
    souffertes soufferts, tenir tenu tenue tenues tenus tint tinrent tient, venir venu venue venues venus vint
    vinrent vient viennent, vivre vécu vécue vécues vécus vécut vécurent vivent, voir virent voit voient, vouloir
    voulu voulue voulues voulus voulut veut veulent, construire construit construite construites construits,
    détruire détruit détruite détruites détruits, œil yeux
  `,
  openings: 'Le La Les Il Elle En',
  questions: {
    which: 'quel[le|s|les]',
    nouns: {
      percentage: 'pourcentage*',
      money: 'prix coût[s] montant[s] tarif[s] loyer[s] budget[s]',
      date: 'année jour mois siècle',
      measure: 'poids hauteur largeur profondeur vitesse',
      number: 'nombre taille distance population',
      person: 'auteur roi reine joueur',
      place: 'ville pays lieu fleuve île',
      organization: 'entreprise société université équipe parti école organisation',
      reason: 'raison but',
    },
    values: {
      percentage: 'pourcentage taux remise réduction',
      money: `
        prix coût[s] montant tarif[s] loyer caution frais salaire budget amende indemnité cotisation franchise prime
        chiffre_d_affaires bénéfice supplément
      `,
      date: 'date',
      measure: 'poids hauteur largeur profondeur vitesse température diamètre',
      identifier: 'numéro téléphone fax iban code_postal',
      email: '(adresse_)?(e_mail|mail|courriel|email) adresse_(e_mail|mail|électronique)',
      number: 'nombre taille distance superficie longueur capacité âge',
      duration: 'durée délai',
    },
    first: { date: 'quand', person: 'qui' },
    interrogatives: 'que qu qui quel[le|s|les] comment combien où pourquoi',
    phrases: {
      percentage: 'combien de pour cent',
      money: `
        combien de (loyer|salaire|impôt[s]|caution)
        combien coût*
      `,
      duration: 'combien de (temps|minutes|heures|jours|semaines|mois|ans|années)',
      hour: 'quelle heure',
      measure: 'combien pès*',
      amount: 'combien !(de|du|d|dure*)',
      identifier: `
        (numéro[s]|code[s]) (de|de la|de l|d) (téléphone|portable|fax|commande|facture|client)
        (numéro[s]|code[s]) (de|de la|de l|d) (dossier|compte|contrat|série|référence)
      `,
      version: 'quel[le] [!(est|e) <1-1> ](version|release)',
      number: 'combien',
      parties: `
        qui sont les [deux] parties
        entre qui
      `,
      permission: `
        ^ [est ce (que|qu)|est ce (que|qu) (je|on|nous)] (puis je|peut on|peux|peut|a t on le droit)
      `,
      place: 'où',
      reason: 'pourquoi',
    },
    timeNouns: 'temps heure[s] jour[s] nuit[s] semaine[s] mois ans années',
    whether: `
      [est ce qu] [il] y a t il
      il y a
      a t (il|elle)
    `,
    whatIs: `
      qu est ce (que c est que|que|qu)
      qui (est|sont|était)
    `,
    requests: `
      (dites|dis|indiquez|indique)-(moi|nous)
      (pouvez|pourriez)-vous (me|nous) (dire|indiquer)
      (je|nous) (voudrais|voudrions|aimerais|aimerions) savoir
      merci de (me|nous) (dire|indiquer)
    `,
    unmarked: `
      (qui|quand|où|combien|comment|pourquoi) (est|sont|a|ont|peut|doit|faut|va)
      (quel|quelle|quels|quelles) (est|sont|heure)
      (c('|’)est|on est) (où|quand|qui|combien)
      (qui|qu('|’)|quand|où|comment|pourquoi)[ ]est(-| )ce
      combien (de|d('|’)|coûte)
    `,
    labels: 'Q Question',
    unknown: `
      aucune idée
      (je |j('|’))[n(e |('|’))][en ]sais (pas|rien)
      pas [la moindre] idée
      pas s(û|u)r[e]
      (chais pas|bonne question)
    `,
    conditions: 'si quand lorsque pendant_que tant_que en_cas',
    situations: 'pendant_que pendant durant',
    how: `
      comment
      quelles [sont les] étapes
    `,
    howMany: 'combien (de|d)',
    howOften: '(combien de fois|quelle fréquence|tous les combien)',
    temperatures: `
      quelle [(est|etait) ][la ]température[s]
      combien de degrés
    `,
    addresses: 'adresse (e mail|mail|électronique)',
    about: `
      [est ce qu*] (l|la|le|les|cette|ce|cet) <1-1> (couvre|contient|offre|propose|inclut|comprend) {…}
    `,
    fillers: `
      {[jusqu('|’)]à quelle heure}
      qu(e|é) {(veut|veulent) dire}
      {(signifie|signifient)}
      que {se passe}-t-il (si|quand|en cas)
      combien de {temps}
      {faut}( |-)il
      (a|ont|aura|auront|avoir|eu) {lieu}
      que faire {en cas} d
      quelle {version}
      combien {coûte[nt|ra]}
      combien {coute[nt|ra]}
      quel est le {montant} d
      combien {s('|’)(é|e)l(è|e)ve[nt]}
    `,
    relations: `
      où [est-ce que|puis-je|peut-on|je] {(trouver|obtenir|trouve|obtiens)}
      qui (est|sont) [le|la|les] {(responsable[s]|chargé[e][s])}
      qui {s('|’)occupe}
    `,
    rewrites: { présent: 'qui {(était|étaient)} (à|au|aux|là)' },
  },
  answers: {
    open: 'ferme ferment ouvert[e|s|es] ouvr(e|ent) ouverture',
    closed: 'fermé[e|s|es] fermeture',
    versions: 'version édition révision révisé[e] mise_à_jour',
    beforeYears: 'en depuis printemps été automne hiver',
    monthPatterns: 'janvier février mars avril Mai juin Juin juillet Juillet août septembre octobre novembre décembre',
    weekdays: '(lun|mar|mercre|jeu|vendre|same)di[s] dimanche[s]',
    centuries: 'siècle[s]',
    numbers: `
      deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt[s] trente quarante
      cinquante soixante cent[s] mille million[s] moitié
    `,
    timeUnits: 'seconde[s] heure[s] jour[s] semaine[s] mois an[s] années',
    hours: 'une deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize vingt',
    clockWithUnit: `
      (à|dès|vers|jusqu('|’)à|avant|après) [(dix|vingt)-](<hour>|#[#])[ ](heure[s]|h)
      {de (<hour>|#[#])[ ][(heure[s]|h)[[ ]##] ]}à (<hour>|#[#])[ ](heure[s]|h)
    `,
    until: "jusqu('|’)au",
    lasting: 'pendant_(un|une)',
    rangeTo: 'à',
    percent: 'pour_cent',
    fractions: 'moitié tiers',
    currencies: '(F|f)ranc[s] centime[s]',
    millions: 'million[s] milliard[s]',
    measures: '(kilo|centi|milli)mètre[s] mètre[s] degré[s]',
    between: 'entre',
    and: 'et',
    permission: '(O|o)ui (N|n)on peut peuvent permis autorisé[e][s] interdit[e][s] possible',
    reasons: 'parce_qu en_raison afin grâce_à à_cause',
    causes: 'pour car puisque suite_à faute_de afin à_cause donc sinon encore après comme en_cas par',
    times: `
      midi minuit matin soir nuit hier demain quotidien* hebdomadaire* mensuel* annuel* immédiatement toujours jamais
      souvent avant après jusqu pendant durant depuis dès lorsqu* quand chaque bientôt printemps été automne hiver Noël
      Pâques jour[s] semaine[s] mois an[s] année[s] heure[s] trimestre début fin
    `,
    degrees: 'degré[s]',
    frequencies: 'fois tous toutes chaque par jamais toujours',
    amounts: `
      aucun* rien gratuit* plusieurs beaucoup quelques tous tout toute[s] trente quarante cinquante soixante
      (quator|trei|quin|sei)ze double
    `,
    prices: 'mois_de_(loyer|salaire) gratuit* offert* rien compris*',
    people: 'il elle ils elles nous personne tous',
    peopleEndings: 'eur euse ien ienne iste ante ente',
    nameParticles: 'de la le et',
    procedures: 'Préparation Étapes Instructions',
    steps: 'Étape',
    clauses: 'Article Clause',
  },
  negation: { words: 'pas jamais sans sauf interdit* non aucun[e] supprimé*' },
  definitions: {
    articles: 'un[e] le[s] la',
    copulas: 'est sont était',
    verbs: 'désigne signifie',
  },
  statements: {
    copulas: 'est sont sera seront',
    negations: 'pas jamais non',
    negatedArticles: 'aucun[e]',
    without: 'sans',
    uncertain: 'peut',
    conditions: 'sauf sans seulement si uniquement sous_réserve à_moins',
  },
  synonyms: {
    number: 'numéro',
    reference: 'référence',
    booking_reference: 'numéro_de_réservation',
    name: 'nom',
    email: 'courriel mél',
    phone: 'téléphone tél',
    fax: 'télécopie',
    website: 'site_web',
    support: 'service_client service_clients service_clientèle',
    customer: 'acheteur',
    supplier: 'fournisseur vendeur',
    recipient: 'destinataire',
    sender: 'expéditeur',
    invoice: 'facture',
    issue: 'délivré délivrée délivrance',
    due: 'échéance',
    total: 'total_ttc',
    balance: 'reste reste_à_payer solde_du_compte',
    subtotal: 'sous_total',
    net: 'total_ht montant_ht',
    gross: 'brut brute',
    amount: 'montant',
    tax: 'tva',
    rate: 'taux',
    discount: 'remise escompte',
    shipping: 'livraison',
    deposit: 'caution',
    prepayment: 'acompte',
    fee: 'honoraires',
    price: 'prix tarif',
    cost: 'coût',
    salary: 'rémunération salaire',
    rent: 'loyer',
    start: 'prend_effet prenant_effet début à_compter_du',
    check_in: 'arrivée',
    check_out: 'départ',
    end: 'fin',
    duration: 'durée délai',
    paid: 'payé payée payés payées',
    payment: 'paiement',
    period: 'période',
    notice: 'préavis',
    birth: 'né née naissance',
    birthplace: 'lieu_de_naissance',
    sign: 'fait',
    agreement: 'contrat',
    employee: 'salarié',
    employer: 'employeur',
    tenant: 'locataire',
    landlord: 'bailleur',
    nationality: 'nationalité',
    language: 'langue langues',
    skill: 'compétences',
    position: 'emploi poste',
    surname: 'nom_de_famille',
    firstname: 'prénom',
    experience: 'expérience_professionnelle expérience',
    degree: 'diplôme',
    quantity: 'quantité qté',
    item: 'produit produits',
    description: 'désignation',
    purchase: 'achat',
    order: 'commande',
    quote: 'devis',
    insurer: 'assureur',
    insurance: 'assurance',
    policyholder: 'souscripteur assuré assurée',
    policy: 'police',
    author: 'auteur',
    publication: 'publié',
    loss: 'perte',
    location: 'lieu',
    city: 'ville',
    country: 'pays',
    street: 'rue',
    company: 'entreprise société',
    manager: 'responsable',
    deputy: 'adjoint adjointe suppléant suppléante',
    month: 'mois mensuel mensuelle',
    year: 'an ans annuel annuelle',
    day_count: 'jour jours',
    week: 'semaine semaines',
    hour: 'heure heures',
    late: 'retard',
    law: 'droit',
    plus: 'dont',
    report: 'rapport',
    meeting: 'réunion assemblée',
    minute_taker: 'secrétaire_de_séance',
    attendee: 'présents',
    next: 'prochain prochaine',
    current: 'actuel actuelle',
    previous: 'précédent précédente ancien',
    excess: 'franchise',
    absent: 'absents excusé excusés',
    detail: 'détails informations données',
    university: 'université école',
    attachment: 'pièces_jointes',
    permit: 'autorisé autorisée autorisés autorisées permis permise',
    prohibit: 'interdit interdite interdits interdites',
    include: 'inclut inclus incluse comprend compris comprise comprises',
    require: 'requis requise nécessaire obligatoire',
    cover: 'couvert couverts couvre',
    provide: 'fourni fournie fournis disponible disponibles',
  },
  measureWords: `
    heavy: lourd poids pèse, long: longueur durée dure, high: haut hauteur, wide: largeur, deep: profond profondeur,
    loud: bruyant bruit, fast: vitesse, big: taille surface, old: âge, hot: température, begin: début compter, end:
    termine échéance, leave: congé congés vacances, open: ouvre ouvert ferme ferment, watt: puissance, expensive:
    coût coûte prix
    tarif, depart: départ dép partir, arrive: arrivée arr arriver
  `,
  peopleWords: `
    attended: présents participé, absent: absents excusés, teaches: enseigne enseignant enseignante professeur,
    chaired: présidé président présidente, wrote: écrit auteur autrice, founded: fondé fondateur fondatrice, owns:
    appartient propriétaire
  `,
  callingWords: 'téléphone téléphoner appeler appelez composez',
  meetings: 'réunion assemblée',
  meetingRecords: 'procès-verbal',
  ownSynonyms: {
    number: 'nombre',
  },
}
