import type { Language } from './language.ts'

/** Spanish. */
export const SPANISH: Language = {
  code: 'es',
  stemmer: 'spanish',
  stopWords: 'spa',
  askingWords: `
    quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas cuanto cuantos cuantas dónde adónde cómo
  `,
  questionWords: 'quien quienes cual cuales donde cuando cuanto cuanta cuantos cuantas como por',
  auxiliaries: 'es son está están hay puedo puedes podemos debo debes debemos',
  pronouns: 'Él Ella Ellas Ello Ellos Su Sus Esta Estas Este Esto Estos',
  abbreviations: 'sra srta ud uds d dña pág núm ee.uu a.c d.c aprox',
  months: [
    'enero ene',
    'febrero feb',
    'marzo mar',
    'abril abr',
    'mayo',
    'junio jun',
    'julio jul',
    'agosto ago',
    'septiembre sept',
    'octubre oct',
    'noviembre nov',
    'diciembre dic',
  ],
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
}
