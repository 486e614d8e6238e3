import type { Language } from './language.ts'

/** Spanish. */
export const SPANISH: Language = {
  code: 'es',
  stemmer: 'spanish',
  genericWords: `
    llegar llega llegan recibir recibe recibo hora horas fecha fechas día días semana semanas mes meses año años
    minuto minutos período momento tiempo edad número cantidad valor importe suma precio precios tarifa coste costo
    nombre tamaño palabra tipo clase manera forma cosa cosas gente persona personas lejos largo alto grande pequeño
    profundo ancho pesado rápido pronto viejo mucho temprano tarde adicional máximo mínimo total pasa pasar ocurre
    significa usar necesito necesita necesario tener tiene dar da tomar hacer hace hay poner ir venir decir saber
    ver encontrar guardar empezar empieza terminar durar dura costar cuesta pagar paga pago cobra cobrar quedarse
    puede pueden debe deben falta exactamente actualmente
  `,
  beforeNouns: `
    el la los las un una unos unas del de al a en con sin por para sobre entre desde hasta mi su sus nuestro nuestra
    tu este esta estos estas ese esa cuánto cuánta cuántos cuántas cada todo toda ningún ninguna según
    durante tras
  `,
  stopWords: 'spa',
  askingWords: `
    quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas cuanto cuantos cuantas dónde adónde cómo
  `,
  questionWords: 'quien quienes cual cuales donde cuando cuanto cuanta cuantos cuantas como por',
  auxiliaries: 'es son era eran fue fueron será serán está están hay puedo puedes podemos debo debes debemos',
  pronouns: 'Él Ella Ellas Ello Ellos Su Sus Esta Estas Este Esto Estos',
  abbreviations: 'sra srta ud uds d dña pág núm ee.uu a.c d.c aprox',
  irregularForms: `
    andar anduvo anduve anduvieron, caber cupo cupieron, conducir condujo condujeron conduzco, decir dijo dije
    dijeron dijera dice dicen digo diga digan diciendo, dormir duerme duermen duermo durmió durmieron durmiendo,
    hacer hizo hice hicieron hicimos hiciera hago haga hagan, morir murió murieron muere mueren muriendo, oír oyó
    oyeron oye oyen oigo, pedir pidió pidieron pide piden pidiendo, perder pierde pierden pierdo, poner puso puse
    pusieron pusiera pone pongo ponga pongan, producir produjo produjeron produzca produzcan, querer quiso quise
    quisieron quisiera quiere quieren quiero, reír rió rieron, saber supo supe supieron, sentir sintió sintieron
    siente sienten, servir sirvió sirvieron sirve sirven sirviendo, seguir siguió siguieron sigue siguen siguiendo,
    tener tuvo tuve tuvieron tuviera tiene tienen tengo tenga tengan, traer trajo trajeron traigo, traducir tradujo
    tradujeron, reducir redujo redujeron reduzca, introducir introdujo introdujeron, venir vinieron viene vienen
    vengo venga, volver vuelve vuelven vuelvo vuelto vuelta vueltos vueltas, obtener obtuvo obtuvieron obtiene
    obtienen, mantener mantuvo mantuvieron mantiene mantienen, contener contuvo contiene contienen, detener detuvo
    detuvieron detiene, construir construyó construyeron construye construyen construyendo, escribir escrito escrita
    escritos escritas, abrir abierto abierta abiertos abiertas, romper roto rota rotos rotas, cubrir cubierto
    cubierta cubiertos cubiertas, descubrir descubierto descubierta descubiertos descubiertas, resolver resuelto
    resuelta resueltos resueltas resuelve resuelven, devolver devuelto devuelta devueltos devueltas devuelve
    devuelven, encontrar encuentra encuentran, pensar piensa piensan, empezar empieza empiezan empecé empiece,
    comenzar comienza comienzan comience, recordar recuerda recuerdan, cerrar cierra cierran, elegir eligió
    eligieron elige eligen, conseguir consiguió consiguieron consigue consiguen, vestir vistió visten, repetir
    repitió repite, llegar llegué llegue, pagar pagué pague, buscar busqué busque, sacar saqué
  `,
  openings: 'El Los Las En La',
  questions: {
    which: '(que|cual[es])',
    nouns: {
      percentage: 'porcentaje*',
      money: 'precio[s] coste[s] costo[s] importe[s] monto[s] salario[s]',
      date: 'año[s] fecha día mes siglo década[s]',
      measure: 'peso altura anchura temperatura velocidad',
      number: 'número población cantidad',
      person: 'presidente rey reina jugador autor general director',
      place: 'ciudad país países lugar río isla región',
      organization: 'empresa compañía organización universidad equipo partido grupo',
      reason: 'razón motivo causa',
    },
    values: {
      percentage: 'porcentaje descuento',
      money: `
        precio[s] coste costo importe tarifa[s] alquiler fianza sueldo salario cuota multa presupuesto recargo prima
        franquicia ingresos beneficio
      `,
      date: 'fecha',
      measure: 'peso altura anchura profundidad temperatura velocidad diámetro',
      identifier: 'número_de_(teléfono|pedido|cuenta|cliente|factura|fax) teléfono fax iban código_postal',
      email: 'correo_electrónico dirección_de_correo email e_mail correo',
      number: 'número cantidad superficie longitud tamaño distancia capacidad edad',
      duration: 'duración plazo',
    },
    first: { date: 'cuando', person: 'quien quienes' },
    interrogatives: 'que como quien[es] cual[es] cuant(o|a)[s] donde',
    phrases: {
      money: `
        cuant(o|a) (alquiler|renta|salario|sueldo|fianza)
        cuanto (cuesta[n]|cost*|vale[n]|dinero)
      `,
      duration: 'cuant(o|a)[s] (tiempo|minutos|horas|días|semanas|meses|años)',
      measure: 'cuanto (pesa|mide)[n]',
      hour: 'que hora[s]',
      identifier: `
        (número[s]|código) (de|de la|del) (teléfono|fax|pedido|factura|cliente|cuenta|contrato|expediente|serie)
      `,
      version: '(que|cual) [!(es) <1-1> ](version|release)',
      number: 'cuant(o|a)[s]',
      parties: `
        quienes son las [dos] partes
        entre quienes
      `,
      permission: '^ (puedo|podemos|se puede|se permite)',
      place: `
        donde
        adonde
      `,
      reason: 'por que',
    },
    whether: `
      hay
      tiene
      incluye
      existe
    `,
    whatIs: '(que|quien|quienes) (es|son|era|fue)',
    requests: `
      (dígame|díganos|dime|dinos|indíqueme|indíquenos) (quién|qué|cuándo|dónde|cómo|cuánto*|cuál*|si)
      (me|nos) gustaría saber
      (quisiera|quisiéramos|quería|queríamos|quiero|queremos) saber
    `,
    unmarked: `
      (quién|qué|cuándo|dónde|cómo|cuánt(o|a|os|as)|cuál) (es|son|está|están|era|fue|hay|tiene|tienen|puede|puedo|debe)
      cuánt(o|a|os|as) (cuesta|cuestan|vale|valen)
      alguien sabe
    `,
    labels: 'Pregunta',
    unknown: `
      ni idea
      no [lo] sé
      no (sabemos|recuerdo|me acuerdo)
      no tengo [ni] [la menor] idea
      no estoy segur(o|a)
      (quién sabe|buena pregunta)
    `,
    conditions: 'si cuando mientras',
    situations: 'mientras durante',
    how: `
      por que pasos
      que pasos
      como (se|puedo|podemos|puede|debo|hago|hay|*(ar|er|ir))
    `,
    howMany: 'cuant(o|a)s',
    howOften: '(cuantas veces|cada cuanto|que frecuencia)',
    temperatures: `
      (que|cual) [(es|era) ][la ]temperatura[s]
      cuantos grados
    `,
    addresses: 'dirección de correo',
    about: `
      (el|la|los|las|este|esta) <1-1> (cubre|contiene|tiene|incluye|ofrece) {…}
    `,
    fillers: `
      {(hasta|a|desde) qu(é|e) hora[s]}
      {significa[n]}
      qu(e|é) {quiere[n] decir}
      qu(e|é) {(pasa|ocurre|sucede)} (si|cuando)
      ^{hay!( que )}
      cu(a|á)nto {tiempo}
      (tiene|tuvo|tendrá|tener) {lugar}
      qu(e|é) {versión}
      cu(a|á)nto {(cuesta[n]|costar(a|á)[n])}
      cu(a|á)l es el {(importe|monto)} d
    `,
    relations: `
      d(o|ó)nde [puedo|se puede|se] {(encontrar|encuentro|encuentra|consigo|conseguir|obtengo|obtener)}
      qui(e|é)n[es] (es|son) [el|la|los|las] {(responsable[s]|encargad(o|a)[s])}
      qui(e|é)n {(se encarga|lleva|gestiona)}
    `,
    rewrites: { asistió: 'qui(e|é)n[es] {(estuvo|estuvieron|estaba|estaban)} (en|allí|ahí)' },
  },
  answers: {
    open: 'cierra[n] abiert(o|a|os|as) abre[n] apertura horario[s]',
    closed: 'cerrad(o|a|os|as)',
    versions: 'versión edición revisión revisad(o|a) actualizad(o|a)',
    beforeYears: 'en desde año primavera verano otoño invierno',
    monthPatterns: 'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre',
    weekdays: 'lunes martes miércoles jueves viernes sábado[s] domingo[s]',
    centuries: 'siglo[s]',
    numbers: `
      dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince diecis(é|e)is
      dieci(siete|ocho|nueve) veinte veinti(u|d|t|c|s|o|n)* treinta cuarenta (cinc|ses|set|och|nov)enta cien[to] mil
      millones mitad
    `,
    timeUnits: 'segundo[s] minuto[s] hora[s] d(i|í)a[s] semana[s] mes[es] año[s] ano[s]',
    hours: 'una dos tres cuatro cinco seis siete ocho nueve diez once doce',
    clock: 'a la[s] (<hour>|<figures>)',
    afterHour: 'de por en y hasta',
    until: 'hasta_el',
    lasting: 'durante_(un|una)',
    rangeTo: 'a',
    percent: 'por_ciento',
    fractions: 'mitad tercio',
    currencies: 'libra[s] céntimo[s] corona[s] dólares (P|p)eso[s]',
    millions: 'millones',
    measures: 'gramo[s] (kil(o|ó)|cent(i|í)|mil(i|í))metro[s] metro[s] litro[s] grado[s]',
    between: 'entre',
    and: 'y e',
    permission: '(S|s)í puede pueden permitid(o|a)[s] prohibid(o|a)[s] posible',
    reasons: 'porque debido ya_que gracias_a a_causa_de para_que',
    causes: 'por para pues como a_causa_de ya_que sino falta tras todavía aún',
    times: `
      mediodía medianoche mañana tarde noche hoy ayer diari* semanal* mensual* anual* siempre nunca antes después hasta
      durante desde cuando cada tras primavera verano otoño invierno Navidad Pascua día[s] semana[s] mes[es] año[s]
      hora[s] siglo[s] final principio[s] comienzo[s]
    `,
    degrees: 'grado[s]',
    frequencies: 'veces vez cada por nunca siempre',
    amounts: `
      ningun* nada gratis gratuit* varios varias much(o|a)[s] poc(o|a)[s] tod(o|a)[s] amb(o|a)s
      (tre|cuare|cincue|sese|sete|oche|nove)nta (tre|cator|quin)ce doble
    `,
    prices: 'meses_de_(alquiler|renta|sueldo|salario) gratuit* gratis nada incluid(o|a)[s] libre',
    people: 'él ella nadie todos',
    peopleEndings: 'dor dora ista ante ente',
    nameParticles: 'de del la y',
    procedures: 'Preparación Pasos Elaboración Procedimiento',
    steps: 'Paso',
    clauses: 'Artículo Cláusula',
  },
  negation: { words: 'sin salvo nunca ningún* ningun* prohibid* eliminad* no_!(#*)' },
  definitions: {
    articles: 'el la lo los las un[a]',
    copulas: 'es son era fue',
    verbs: 'significa',
  },
  statements: {
    copulas: 'es son está están',
    negations: 'no nunca',
    negatedArticles: 'ningun* ningún*',
    without: 'sin',
    uncertain: 'puede',
    conditions: 'salvo sin solo sólo si excepto siempre_que',
  },
  synonyms: {
    number: 'numero número',
    date: 'fecha',
    reference: 'referencia',
    booking_reference: 'número_de_reserva localizador',
    name: 'nombre_completo nombre_y_apellidos',
    email: 'correo correo_electrónico',
    deputy: 'adjunto adjunta suplente',
    phone: 'teléfono móvil',
    website: 'sitio_web página_web',
    address: 'dirección domicilio',
    support: 'atención_al_cliente servicio_al_cliente',
    customer: 'cliente comprador',
    supplier: 'proveedor vendedor',
    recipient: 'destinatario',
    sender: 'remitente',
    invoice: 'factura',
    issue: 'emisión expedición fecha_de_emisión expedido',
    due: 'vencimiento vence',
    total: 'total_a_pagar importe_total total_factura',
    balance: 'saldo saldo_pendiente importe_pendiente',
    subtotal: 'base_imponible',
    net: 'neto importe_neto',
    gross: 'bruto bruta',
    amount: 'monto',
    tax: 'iva impuesto',
    rate: 'tipo_impositivo tasa',
    discount: 'descuento descuentos',
    shipping: 'envío entrega',
    deposit: 'fianza',
    prepayment: 'anticipo',
    fee: 'honorarios cuota',
    price: 'precio',
    cost: 'coste costo gasto gastos',
    salary: 'salario sueldo retribución remuneración',
    rent: 'renta alquiler',
    start: 'entra_en_vigor inicio comienzo comienza comienzan',
    check_in: 'llegada',
    check_out: 'salida',
    end: 'finalización finaliza terminación',
    duration: 'duración plazo',
    paid: 'pagado pagada',
    payment: 'pago',
    period: 'periodo',
    notice: 'preaviso',
    birth: 'nacimiento fecha_de_nacimiento',
    birthplace: 'lugar_de_nacimiento',
    sign: 'firmado',
    agreement: 'contrato',
    employee: 'empleado empleada trabajador trabajadora',
    employer: 'empleador empresario',
    tenant: 'arrendatario arrendataria inquilino inquilina',
    landlord: 'arrendador arrendadora',
    nationality: 'nacionalidad',
    marital: 'estado_civil',
    language: 'idioma idiomas',
    skill: 'habilidades competencias',
    position: 'puesto',
    surname: 'apellido apellidos',
    education: 'formación',
    experience: 'experiencia_laboral experiencia_profesional experiencia',
    degree: 'titulación título',
    quantity: 'cantidad',
    maximum: 'máximo',
    minimum: 'mínimo',
    item: 'producto productos artículo artículos',
    description: 'descripción concepto conceptos',
    purchase: 'compra',
    order: 'auftrag pedido',
    quote: 'presupuesto oferta',
    insurer: 'aseguradora',
    insurance: 'seguro',
    policyholder: 'tomador',
    policy: 'póliza',
    author: 'autor autora',
    publication: 'publicación',
    loss: 'daños',
    warranty: 'garantía',
    location: 'lugar',
    city: 'ciudad',
    country: 'país',
    company: 'empresa sociedad',
    month: 'mes meses mensual',
    year: 'año años anual',
    day_count: 'día días',
    week: 'semana semanas',
    hour: 'hora horas',
    minute: 'minuto minutos',
    meeting: 'reunión',
    action_items: 'tareas',
    attendee: 'asistentes',
    next: 'próximo próxima',
    previous: 'anterior',
    absent: 'ausente ausentes',
    detail: 'datos generales',
    university: 'universidad escuela',
    permit: 'permitido permitida permitidos permitidas permiten permite admite admiten admitido admitidos',
    prohibit: 'prohibido prohibida prohibidos prohibidas',
    include: 'incluye incluyen incluido incluida incluidos incluidas',
    require: 'requerido requerida necesario necesaria obligatorio obligatoria',
    cover: 'cubre cubierto cubiertos',
    provide: 'ofrece',
  },
  measureWords: `
    heavy: pesado peso pesa, long: largo longitud duración dura, high: alto altura, wide: ancho, deep: profundo
    profundidad, loud: ruido, fast: rápido velocidad, big: superficie tamaño, old: edad, hot: temperatura, begin:
    comienza empieza inicio, end: termina vence vencimiento, leave: vacaciones permiso, open: horaires abre abierto
    cierra
    horario, watt: potencia, expensive: cuesta coste precio, depart: salida salidas
    salir, arrive: llegada llegadas llega
  `,
  peopleWords: `
    attended: asistieron asistió asistentes presentes, absent: ausentes, teaches: enseña profesor profesora, chaired:
    presidió presidente presidenta, wrote: escribió autora, founded: fundó fundador fundadora, owns: propietario
    propietaria
  `,
  callingWords: 'teléfono llamar llame',
  meetings: 'reunión',
  meetingRecords: 'acta',
  ownSynonyms: {
    name: 'nombre',
    rate: 'tipo',
  },
}
