/** Names and codes of languages and scripts: ISO 639-1, ISO 639-2, ISO 15924 and the engine's. */

/** ISO 639-1 codes with the engine's code, for the engine's languages where the two differ. */
const CODES: Readonly<Record<string, string>> = Object.fromEntries(
  (
    'af afr,am amh,ar ara,as asm,az aze,be bel,bg bul,bn ben,bo bod,br bre,bs bos,ca cat,co cos,cs ces,' +
    'cy cym,da dan,de deu,dv div,dz dzo,el ell,en eng,eo epo,es spa,et est,eu eus,fa fas,fi fin,fil fil,' +
    'fo fao,fr fra,fy fry,ga gle,gd gla,gl glg,gu guj,he heb,hi hin,hr hrv,ht hat,hu hun,hy hye,id ind,' +
    'is isl,it ita,iu iku,ja jpn,jv jav,ka kat,kk kaz,km khm,kn kan,ko kor,ky kir,la lat,lb ltz,lo lao,' +
    'lt lit,lv lav,mi mri,mk mkd,ml mal,mn mon,mr mar,ms msa,mt mlt,my mya,nb nor,ne nep,nl nld,no nor,' +
    'oc oci,or ori,pa pan,pl pol,ps pus,pt por,qu que,ro ron,ru rus,sa san,sd snd,si sin,sk slk,sl slv,' +
    'sq sqi,sr srp,su sun,sv swe,sw swa,ta tam,te tel,tg tgk,th tha,ti tir,tr tur,tt tat,ug uig,uk ukr,' +
    'ur urd,uz uzb,vi vie,yi yid,yo yor,zh chi_sim'
  )
    .split(',')
    .map((pair) => pair.split(' ') as [string, string]),
)
/** Bibliographic codes of ISO 639-2 that differ from the engine's. */
const BIBLIOGRAPHIC: Readonly<Record<string, string>> = {
  alb: 'sqi',
  arm: 'hye',
  baq: 'eus',
  bur: 'mya',
  chi: 'chi_sim',
  zho: 'chi_sim',
  cze: 'ces',
  dut: 'nld',
  fre: 'fra',
  geo: 'kat',
  ger: 'deu',
  gre: 'ell',
  ice: 'isl',
  mac: 'mkd',
  may: 'msa',
  per: 'fas',
  rum: 'ron',
  slo: 'slk',
  tib: 'bod',
  wel: 'cym',
}

/** Longer hints are no names of languages. */
const MAX_NAME_CHARACTERS = 40

/**
 * The first code of a hint that is wanted, most likely codes first. The last is an English name's:
 * the names of all languages take 10 ms, which a start with codes saves.
 */
export function findCode(hint: string, isWanted: (code: string) => boolean): string | undefined {
  const name = hint.trim().toLowerCase().replaceAll('-', '_')
  const main = name.split('_')[0] ?? ''
  const chinese = /^zh_(?:hant|tw|hk|mo)/.test(name) ? 'chi_tra' : undefined
  const found = [name, chinese, own(CODES, main), own(BIBLIOGRAPHIC, main), main].find(
    (code) => code !== undefined && isWanted(code),
  )
  if (found !== undefined || name.length > MAX_NAME_CHARACTERS) return found
  const named = own(listNames(), name)
  return named !== undefined && isWanted(named) ? named : undefined
}

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined
}

/** English names of the languages. */
function listNames(): Record<string, string> {
  const names = new Intl.DisplayNames('en', { type: 'language' })
  return Object.fromEntries(Object.entries(CODES).map(([iso, code]) => [(names.of(iso) ?? iso).toLowerCase(), code]))
}

/** English name and codes of an installed or installable language: `Russian (ru, rus)`. */
export function describeLanguage(code: string): string {
  const { language } = toLocale(code)
  const name = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' }).of(language)
  const codes = language === code ? code : `${language}, ${code}`
  return name === undefined ? code : `${name} (${codes})`
}

/** The npm package with the data of a language, by the engine's name. */
export function dataPackageOf(code: string): string {
  return `@tesseract.js-data/${code}`
}

/**
 * A clause and a sentence: the language of a hint or code has no data here, and which package adds
 * it. `null` if the hint names no known language.
 */
export function describeMissingLanguage(hint: string): string | null {
  const known = new Set(Object.values(CODES))
  const code = findCode(hint, (possible) => known.has(possible))
  if (code === undefined) return null
  return `the recognition data of ${describeLanguage(code)} is not installed. ${describeRemedy(code)}`
}

/**
 * A sentence: the page is in this script (`Cyrl`), which no installed language has, and which
 * package adds the language that uses it most. `null` if that is unknown.
 */
export function describeMissingScript(script: string): string | null {
  const code = own(CODES, new Intl.Locale(`und-${script}`).maximize().language)
  const name = new Intl.DisplayNames('en', { type: 'script' }).of(script)
  if (code === undefined || name === undefined) return null
  const language = describeLanguage(code)
  const missing = `The page seems to be in ${name} script, as ${language}, whose recognition data is not installed.`
  return `${missing} ${describeRemedy(code)}`
}

function describeRemedy(code: string): string {
  return `Install the npm package ${dataPackageOf(code)}.`
}

/** The engine's names of scripts with their ISO 15924 codes. It detects no others. */
const SCRIPTS: Readonly<Record<string, string>> = {
  Arabic: 'Arab',
  Bengali: 'Beng',
  Cyrillic: 'Cyrl',
  Devanagari: 'Deva',
  Fraktur: 'Latn',
  Greek: 'Grek',
  Han: 'Hani',
  Hebrew: 'Hebr',
  Japanese: 'Jpan',
  Kannada: 'Knda',
  Korean: 'Kore',
  Latin: 'Latn',
  Malayalam: 'Mlym',
  Tamil: 'Taml',
  Telugu: 'Telu',
  Thai: 'Thai',
}

/** ISO 15924 code of the engine's name of a script; `null` for none. */
export function toScript(name: string | null): string | null {
  return (name === null ? undefined : own(SCRIPTS, name)) ?? null
}

/** ISO 15924 code of the script of an engine's language; `null` if unknown. Chinese has one. */
export function scriptOf(code: string): string | null {
  const { script } = toLocale(code).maximize()
  return script === 'Hans' || script === 'Hant' ? 'Hani' : (script ?? null)
}

/** The engine writes `srp_latn` for `sr-Latn`. Other suffixes are variants. */
function toLocale(code: string): Intl.Locale {
  const [main = '', suffix = ''] = code.split('_')
  try {
    return new Intl.Locale(main, /^(?:latn|cyrl)$/.test(suffix) ? { script: suffix } : {})
  } catch {
    return new Intl.Locale('und')
  }
}
