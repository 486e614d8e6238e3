import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import pino from 'pino'
import sharp from 'sharp'
import { characterErrorRate } from '../../../bench/pdf/character-errors.ts'
import { tasks } from '../../../src/compose/child-tasks.ts'
import { findRecognitionData } from '../../../src/models/ocr/language-data.ts'
import { createTesseractRecognizer } from '../../../src/models/ocr/tesseract-recognizer.ts'
import { detectHere } from '../../../src/services/ingest/indexing/language-detector.ts'
import type { DrawnPage, RecognizePageInput } from '../../../src/services/reading/recognition.ts'
import { printPage } from '../../support/print-page.ts'

const PAGES: Readonly<Record<string, readonly string[]>> = {
  deu: [
    'Der Hafenausschuss tagte am Dienstag früh im Kornspeicher hinter der Brauerei.',
    'Frau Müller fragte, ob der größere Kran aus den Rücklagen bezahlt werden könne.',
    'Die Rechnung über 1.250,00 Euro ist binnen dreißig Tagen fällig; Gäste dürfen',
    'ihre Fahrräder neben der Brückenwaage abstellen, wo der Pförtner einen Schlüssel hat.',
  ],
  fra: [
    "Le comité du port s'est réuni mardi matin dans l'ancien grenier à blé, près du quai.",
    'La trésorière a rapporté que les caisses avaient franchi la barrière malgré la grève.',
    'La facture de 1 250,00 euros est payable sous trente jours ; les élèves et le maître',
    "peuvent déposer leurs vélos à côté du pont-bascule, où l'on goûtera les gâteaux.",
  ],
  spa: [
    'La junta del puerto se reunió el martes por la mañana detrás de la cervecería.',
    'La señora Muñoz preguntó si la nueva grúa podía pagarse con la reserva del año.',
    'La factura de 1.250,00 euros vence dentro de treinta días; los señores pueden dejar',
    'sus bicicletas junto a la báscula pequeña, donde el portero guardará también la llave.',
  ],
  ita: [
    'Il comitato del porto si è riunito martedì mattina nel granaio dietro la birreria.',
    'La signora Bonafè ha chiesto se la nuova gru potrà essere pagata: così è più facile.',
    'La fattura di 1.250,00 euro scade entro trenta giorni, perché lunedì la città è chiusa;',
    'i visitatori possono lasciare le biciclette lì, però la pesa non è ancora libera.',
  ],
  por: [
    'A comissão do porto reuniu-se na terça-feira de manhã no celeiro atrás da cervejaria.',
    'A senhora Conceição perguntou se a nova grua poderia ser paga: não há exceções.',
    'A fatura de 1.250,00 euros vence dentro de trinta dias; as decisões serão alteradas',
    'até junho, e os visitantes deixarão as bicicletas junto à balança da estação.',
  ],
}
/** Greek in the letters of the font Symbol. */
const GREEK = [
  'To sumboulio tou limaniou sunedriase thn Trith to prwi sthn palia apoqhkh.',
  'H tamias anefere oti polla kibwtia perasan thn pulh apo ton Martio, an kai',
  'h dexamenh emeine stamathmenh deka ennea hmeres. Ta melh yhfisan uper ths',
  'episkeuhs. Oi episkeptes afhnoun ta podhlata tous dipla sth zugaria.',
]

const log = pino({ level: 'silent' })
const recognizer = createTesseractRecognizer({ languages: ['eng'], detectLanguage: detectHere, size: 1, log })
const english = createTesseractRecognizer({ languages: ['eng'], size: 1, log })
after(() => Promise.all([recognizer.close(), english.close()]))

for (const [code, lines] of Object.entries(PAGES))
  test(`a page in ${code} is read in its language, with fewer errors than in English`, async () => {
    const image = await printPage(lines, 150)
    const page = await recognizer.recognize({ image, mode: 'fast' })
    assert.deepEqual([page.languages, page.message], [[code], null])
    const errors = characterErrorRate(lines.join('\n'), page.text)
    assert.ok(errors <= 0.01, `${errors}: ${page.text}`)
    const plain = await english.recognize({ image, mode: 'fast' })
    assert.ok(characterErrorRate(lines.join('\n'), plain.text) >= 2 * errors + 0.01, plain.text)
  })

test('a page in English and German is read in both, with fewer errors than in English', async () => {
  const lines = [
    'The harbour board met on Tuesday morning in the old granary behind the brewery.',
    'The members voted for the repair of the quay, and the clerk was asked to write.',
    '',
    ...(PAGES['deu'] ?? []).slice(0, 2),
  ]
  const image = await printPage(lines, 150)
  const page = await recognizer.recognize({ image, mode: 'fast' })
  assert.deepEqual(page.languages.toSorted(), ['deu', 'eng'])
  assert.ok(characterErrorRate(lines.join('\n'), page.text) <= 0.01, page.text)
})

test('the language of the page before is tried first, and left where the page is in another', async () => {
  const german = await printPage(PAGES['deu'] ?? [], 150)
  const likely = ['fra']
  const page = await recognizer.recognize({ image: german, mode: 'fast', likely })
  assert.deepEqual(page.languages, ['deu'])
  const hinted = await recognizer.recognize({ image: german, mode: 'fast', likely, languages: ['de'] })
  assert.deepEqual(hinted.languages, ['deu'])
})

test('a page without words is read in the language of the page before of its document', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'pages-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const recognize = async (name: string, lines: readonly string[]) => {
    const { data, width, height } = await printPage(lines, 150)
    const path = join(folder, name)
    await sharp(data, { raw: { width, height, channels: 1 } }).toFile(path)
    const source = { path, bytes: 1, filename: null, declaredType: null }
    const type: RecognizePageInput['type'] = { format: 'png', mimeType: 'image/png', encoding: null }
    const input = { source, type, page: 1, mode: 'fast', draws: false, languages: [], configured: ['eng'] }
    const { value } = (await tasks['recognize-page']?.(input).next()) ?? {}
    return (value as DrawnPage).recognition.languages
  }
  const figures = ['48 217', '1 250,00', '14 471']
  assert.deepEqual(await recognize('invoice.png', PAGES['deu'] ?? []), ['deu'])
  assert.deepEqual(await recognize('invoice.png', figures), ['deu'])
  assert.deepEqual(await recognize('another.png', figures), ['eng'])
})

test('a page in a script without data has no text, and its message names the script and the package', async () => {
  const page = await recognizer.recognize({ image: await printPage(GREEK, 150, 'Symbol'), mode: 'fast' })
  assert.deepEqual([page.outcome, page.text], ['nonsense', ''])
  assert.match(page.message ?? '', /was dropped\. The page seems to be in Greek script, as Greek \(el, ell\)/)
  assert.match(page.message ?? '', /Install the npm package @tesseract\.js-data\/ell\.$/)
})

test('included data is what its README says, and stays under 30 MB', () => {
  const folder = new URL('../../../ocr-data/', import.meta.url).pathname
  const readme = readFileSync(join(folder, 'README.md'), 'utf8')
  const files = readdirSync(folder).filter((name) => name.endsWith('.gz'))
  const codes = files.map((name) => name.split('.')[0])
  assert.deepEqual(codes, ['deu', 'fra', 'ita', 'osd', 'por', 'spa'])
  let bytes = 0
  for (const name of files) {
    const content = readFileSync(join(folder, name))
    bytes += content.length
    const hash = createHash('sha256').update(content).digest('hex')
    assert.ok(readme.includes(`| \`${name}\` | ${content.length.toLocaleString('en')} | \`${hash}\` |`), name)
  }
  assert.ok(bytes < 30_000_000)
})

test('a package of the project that the service is started in is found', (t) => {
  const project = mkdtempSync(join(tmpdir(), 'project-'))
  t.after(() => rmSync(project, { recursive: true }))
  const folder = join(project, 'node_modules/@tesseract.js-data/tlh/4.0.0_best_int')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'tlh.traineddata.gz'), 'x')
  const module = new URL('../../../src/models/ocr/language-data.ts', import.meta.url).href
  const code = `const { findRecognitionData } = await import(${JSON.stringify(module)})
    console.log(findRecognitionData().languages.map(({ code }) => code).join())`
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    cwd: project,
    encoding: 'utf8',
  })
  assert.match(stdout, /^deu,.*\btlh\b/)
})

test('data of packages is found in every folder, before included data, in the best edition', async (t) => {
  const root = mkdtempSync(join(tmpdir(), 'recognition-data-'))
  t.after(() => rmSync(root, { recursive: true }))
  const write = (path: string, bytes: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), Buffer.alloc(bytes))
  }
  write('near/pol/4.0.0/pol.traineddata.gz', 9)
  write('near/pol/4.0.0_best_int/pol.traineddata.gz', 2)
  write('near/deu/4.0.0/deu.traineddata.gz', 3)
  write('far/deu/4.0.0_best_int/deu.traineddata.gz', 4)
  write('far/swe/4.0.0_fast/swe.traineddata.gz', 5)
  write('far/empty/package.json', 1)
  write('included/deu.traineddata.gz', 6)
  write('included/fra.traineddata.gz', 7)
  write('included/osd.traineddata.gz', 8)
  const folders = ['near', 'far', 'missing'].map((name) => join(root, name))
  const { languages, scripts } = findRecognitionData(folders, join(root, 'included'))
  assert.deepEqual(
    languages.map(({ code, bytes }) => [code, bytes]),
    [
      ['deu', 3],
      ['fra', 7],
      ['pol', 2],
      ['swe', 5],
    ],
  )
  assert.equal(scripts?.bytes, 8)
})
