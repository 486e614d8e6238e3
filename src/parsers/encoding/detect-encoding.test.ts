import assert from 'node:assert/strict'
import { test } from 'node:test'
import iconv from 'iconv-lite'
import { createTextDecoder } from './decode-file.ts'
import { detectEncoding, detectLogEncoding, getDeclaredCharset, getMarkupCharset } from './detect-encoding.ts'
import { createByteSurvey } from './survey-bytes.ts'

function survey(bytes: Buffer) {
  const surveyed = createByteSurvey()
  for (let at = 0; at < bytes.length; at += 1000) surveyed.add(bytes.subarray(at, at + 1000))
  return surveyed.finish()
}

function read(bytes: Buffer, declared: string | null = null): { text: string; encoding: string | null } {
  const encoding = detectEncoding(survey(bytes), declared)
  if (encoding === null) return { text: '', encoding }
  const decoder = createTextDecoder(encoding)
  let text = ''
  // Pieces of 7 bytes part every sequence somewhere.
  for (let at = 0; at < bytes.length; at += 7) text += decoder.write(bytes.subarray(at, at + 7)).text
  return { text: text + decoder.end().text, encoding }
}

const GERMAN = 'Größen über die Brücke: „schöne Äpfel“ für 20 €.\n'
const RUSSIAN = 'Служба поддержки отвечает в течение десяти минут.\nСрок зависит от приоритета.\n'
const JAPANESE = '東京都は日本の首都です。\nこんにちは世界。短いテキストです。\n'
const CHINESE = '客户支持团队在十分钟内响应所有紧急事件。\n北京是中国的首都。\n'
const TAIWANESE = '客戶支援團隊在十分鐘內回應所有緊急事件。\n台北是台灣的首都。\n'

const CASES: readonly (readonly [encoding: string, text: string, addBom?: boolean])[] = [
  ['utf-8', GERMAN],
  ['utf-8', `${GERMAN}😀`, true],
  ['utf-16le', `${RUSSIAN}😀`, true],
  ['utf-16be', `${RUSSIAN}😀`, true],
  ['utf-16le', `plain words, ${GERMAN}`],
  ['utf-16be', `plain words, ${GERMAN}`],
  ['utf-16le', `1. ${JAPANESE}`],
  ['utf-32le', `${GERMAN}😀`, true],
  ['utf-32be', `${GERMAN}😀`],
  ['windows-1252', GERMAN],
  ['windows-1251', RUSSIAN],
  ['koi8-r', RUSSIAN],
  ['shift_jis', JAPANESE],
  ['euc-jp', JAPANESE],
  ['gb18030', CHINESE],
  ['big5', TAIWANESE],
  ['iso-8859-15', 'Le café coûte 3 € à Paris, près de l’hôtel.\n'.replace('’', "'")],
]

for (const [encoding, text, addBom = false] of CASES) {
  test(`${encoding}${addBom ? ' with its mark' : ''} is told and read whole`, () => {
    assert.deepEqual(read(iconv.encode(text, encoding, { addBOM: addBom })).text, text)
  })
}

test('follows a declared charset only if the bytes allow it', () => {
  const bytes = iconv.encode('cena: 5 zł, żółć', 'iso-8859-2')
  assert.equal(read(bytes, 'iso-8859-2').text, 'cena: 5 zł, żółć')
  assert.equal(read(Buffer.from('żółć'), 'iso-8859-2').text, 'żółć')
  assert.equal(getDeclaredCharset('text/plain; charset="KOI8-R"'), 'koi8-r')
  assert.equal(getDeclaredCharset('text/plain; charset=x-mac-roman'), 'macintosh')
  assert.equal(getDeclaredCharset('text/plain; charset=nonsense'), null)
})

test('reads declared Latin-1 and ASCII as windows-1252', () => {
  const bytes = iconv.encode('It is Smith’s.', 'windows-1252')
  for (const charset of ['iso-8859-1', 'us-ascii', 'latin1']) assert.equal(read(bytes, charset).text, 'It is Smith’s.')
})

test('reads a single accented letter as windows-1252', () => {
  assert.equal(read(iconv.encode(`${'plain words. '.repeat(6000)}café`, 'windows-1252')).text.slice(-4), 'café')
})

test('detects short legacy texts by script and word shape', () => {
  for (const [encoding, text] of [
    ['windows-1252', 'It is Smith’s, not “ours” – for 20 €.'],
    ['windows-1252', 'Größe'],
    ['windows-1250', 'Wrocław, ulica Długa 5, proszę o odpowiedź'],
    ['windows-1250', 'Vlak za more polazi u šest sati; želimo vam sreću i čekamo potvrdu.'],
    ['windows-1250', 'Vlak odpelje ob šestih, zato pridite čim prej; srečno pot želimo.'],
    ['windows-1257', 'Vilciens atiet pulksten sešos, ļoti lūdzam ierasties laikā pie kuģa.'],
    ['windows-1257', 'Traukinys išvyksta šeštą valandą, todėl atvykite laiku į stotį.'],
    ['windows-1257', 'Öösel on jäine; tšello ja žanr on võõrsõnad, aga küla mees käib tööl.'],
    ['iso-8859-15', 'Öösel on jäine; tšello ja žanr on võõrsõnad, aga küla mees käib tööl.'],
    ['iso-8859-15', "Le cœur de l'œuvre est là, près de la sœur aînée."],
    ['iso-8859-13', 'Kuģis iziet vakarā, ja būs labs laiks; „seši” cilvēki jau gaida krastā.'],
    ['windows-1252', 'Toget går klokken seks, og ærlig talt er øya vår best på våren.'],
    ['windows-1252', 'Le train part à six heures, près de la forêt où l’été dure.'],
    ['windows-1252', 'Lestin fer klukkan sex og það er gott að vera þar við höfnina.'],
    ['windows-1254', 'Tren saat altıda kalkıyor, lütfen geç kalmayın; şimdi değil.'],
    ['windows-874', 'เรือออกไปเกาะตอนเย็น ถ้าอากาศดี มีหกคนรออยู่แล้ว'],
    ['windows-874', 'ร้านปิดวันจันทร์ ราคา 45 บาท'],
    ['windows-1251', 'Договор № 5 от 12 марта'],
    ['koi8-r', 'Москва, Россия'],
    ['gb18030', '公司名称,地址'],
    ['shift_jis', 'こんにちは、株式会社です'],
    ['euc-jp', 'こんにちは、株式会社です'],
    ['windows-1255', 'ירושלים היא בירת ישראל. החוזה יסתיים בחודש הבא ויש לחדש אותו.'],
    ['iso-8859-8', 'ירושלים היא בירת ישראל. החוזה יסתיים בחודש הבא ויש לחדש אותו.'],
    ['windows-1256', 'القاهرة هي عاصمة مصر. ينتهي العقد في الشهر القادم ويجب تجديده.'],
    ['iso-8859-6', 'القاهرة هي عاصمة مصر. ينتهي العقد في الشهر القادم ويجب تجديده.'],
    ['koi8-u', 'Київ є столицею України, і його договір закінчується наступного місяця.'],
  ] as const) {
    assert.equal(read(iconv.encode(text, encoding)).text, text, encoding)
  }
})

test('detects DOS and classic Mac OS texts only if no newer encoding fits', () => {
  const german = 'Für die Größe der Räume möchten wir Ihnen danken: zwölf Stühle gehören dazu.\n'
  const french = 'Les élèves français ont été très heureux de découvrir la forêt près du château.\n'
  for (const [encoding, text] of [
    ['cp850', german],
    ['cp437', german],
    ['macintosh', german],
    ['cp850', french],
    ['macintosh', french],
    ['cp852', 'Příliš žluťoučký kůň úpěl ďábelské ódy, všichni lidé rodí se svobodní.\n'],
    ['cp852', 'Wszyscy ludzie rodzą się wolni i równi pod względem swej godności.\n'],
    ['cp866', RUSSIAN],
    ['cp866', 'Москва, Россия'],
  ] as const) {
    assert.equal(read(iconv.encode(text, encoding)).text, text, encoding)
  }
  for (const text of ['IBM™, SAP™, Foo®, Bar®, Baz® – 25 °C, §5', 'l’été, d’où, c’est déjà ça; “ours” — yes…']) {
    assert.equal(read(iconv.encode(text, 'windows-1252')).text, text)
  }
})

test('detects seven-bit Japanese by its escapes, unlike log colours', () => {
  const bytes = Buffer.from('From: a\n\x1b$B$9$Y$F$N?M4V$O\x1b(B, \x1b(JJapan\x1b(B\n')
  assert.deepEqual(read(bytes), { text: 'From: a\nすべての人間は, Japan\n', encoding: 'iso-2022-jp' })
  assert.equal(read(Buffer.from('\x1b[31mred\x1b[0m and \x1b(B\n')).encoding, 'utf-8')
  assert.equal(read(Buffer.from('\x1b[31mred\x1b[0m, \x1b$B: echo \x1b[1m$PATH\x1b[0m\n')).encoding, 'utf-8')
})

test('detects seven-bit Korean and Chinese by their marks', () => {
  const korean = Buffer.from('\x1b$)C\nA \x0eGQ1[\x0f and \x0eGQ1[\x0f.\n', 'latin1')
  assert.deepEqual(read(korean), { text: '\nA 한글 and 한글.\n', encoding: 'iso-2022-kr' })
  const chinese = Buffer.from('A ~{<:Ky~} and ~{<:Ky~}, ~~ and ~\nso on.\n')
  assert.deepEqual(read(chinese), { text: 'A 己所 and 己所, ~ and so on.\n', encoding: 'hz-gb-2312' })
  assert.equal(read(Buffer.from('~{a}~ and ~{x, y}~\n')).encoding, 'utf-8')
})

test('reads a log of several encodings by line', () => {
  const legacy = (text: string, encoding = 'windows-1252') => iconv.encode(text, encoding)
  const readLog = (...lines: Buffer[]) => {
    const bytes = Buffer.concat(lines)
    const decoder = createTextDecoder(detectLogEncoding(survey(bytes), null) ?? '')
    return decoder.write(bytes.subarray(0, 40)).text + decoder.write(bytes.subarray(40)).text + decoder.end().text
  }
  assert.equal(readLog(Buffer.from(GERMAN), legacy('Größe: 4\n'), Buffer.from(GERMAN)), `${GERMAN}Größe: 4\n${GERMAN}`)
  const russian = legacy(RUSSIAN, 'windows-1251')
  assert.equal(readLog(Buffer.from(GERMAN), russian, Buffer.from(RUSSIAN)), GERMAN + RUSSIAN + RUSSIAN)
  assert.equal(readLog(russian), RUSSIAN)
  assert.equal(readLog(Buffer.from('Größe: caf'), Buffer.from([0xc3])), 'Größe: caf')
  assert.equal(readLog(Buffer.from('one line\ncaf'), Buffer.from([0xc3])), 'one line\ncaf')
  assert.equal(detectLogEncoding(survey(Buffer.from('one\0\0\0\0\0\0two Größe\n')), null), 'utf-8')
  assert.equal(detectLogEncoding(survey(iconv.encode('INFO started, Größe 4\n', 'utf-16le')), null), 'utf-16le')
})

test('detects Korean in Johab, also cut anywhere', () => {
  const text = '무역선은 저녁에 섬으로 갑니다. 漁港 2번 창고 ※'
  const bytes = Buffer.from(
    'a281b562ace5b76520b8e19162b54120acf1b7619da120887393a194612e20eddbf7fb2032a4e520c07789a120d968',
    'hex',
  )
  assert.deepEqual(read(bytes), { text, encoding: 'johab' })
  assert.equal(getDeclaredCharset('text/plain; charset=cp1361'), 'johab')
  for (let at = 1; at < bytes.length; at++) {
    const decoder = createTextDecoder('johab')
    assert.equal(decoder.write(bytes.subarray(0, at)).text + decoder.write(bytes.subarray(at)).text, text)
  }
  assert.deepEqual(createTextDecoder('johab').write(Buffer.from('884188618442df31ff', 'hex')), {
    text: 'ㄱ가ㄱ\uFFFD\uFFFD',
    replaced: 2,
  })
})

test('replaces and counts invalid UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from(GERMAN.repeat(20)), Buffer.from([0xff, 0x41, 0xc3])])
  assert.equal(detectEncoding(survey(bytes), null), 'utf-8')
  const decoder = createTextDecoder('utf-8')
  assert.equal(decoder.write(bytes).replaced + decoder.end().replaced, 2)
})

test('does not count U+FFFD in the file itself', () => {
  const decoder = createTextDecoder('utf-8')
  const bytes = Buffer.from('a\ufffdb')
  assert.equal(decoder.write(bytes.subarray(0, 2)).replaced + decoder.write(bytes.subarray(2)).replaced, 0)
})

test('never returns U+0000 or lone surrogates', () => {
  const decoder = createTextDecoder('utf-16le')
  const text = decoder.write(Buffer.from('a\0\0\0\x3d\xd8b\0', 'latin1')).text + decoder.end().text
  assert.equal(text, 'a\ufffd\ufffdb')
})

test('rejects bytes with NUL that are not wide text', () => {
  const noise = Buffer.from(Array.from({ length: 4096 }, (_, at) => (at * at * 31 + at) % 256))
  assert.equal(detectEncoding(survey(noise), null), null)
})

test('rejects a few bytes with NUL as unmarked wide text', () => {
  const zips = 'PK\x03\x04\x14\0\x06\0\x08\0\0\0'
  for (const bytes of ['\0\x01\x02\x03\xff\xfe', '\x80\x81\x82\x83\0\x05', '\x12\x34\0\x99\x88\x77\x66\x55', zips]) {
    assert.equal(detectEncoding(survey(Buffer.from(bytes, 'latin1')), null), null)
  }
})

test('detects short UTF-16 and UTF-32 texts without a mark', () => {
  for (const text of [
    'hi',
    'Größe',
    '1. 東京都',
    'Служба поддержки',
    '你好, 世界',
    'x = 1\r\n',
    'żółć',
    'Привет 😀',
    'こんにちは世界。\n',
  ]) {
    for (const encoding of ['utf-16le', 'utf-16be', 'utf-32le'])
      assert.equal(read(iconv.encode(text, encoding)).text, text, encoding)
  }
})

test('reads the charset that HTML or XML declares', () => {
  for (const [head, charset] of [
    ['<html><meta charset="Shift_JIS">', 'shift_jis'],
    ["<meta http-equiv='Content-Type' content='text/html; charset=windows-1251'>", 'windows-1251'],
    ['<?xml version="1.0" encoding="ISO-8859-2"?><a/>', 'iso-8859-2'],
    ['<!-- <meta charset=koi8-r> --><meta charset=big5>', 'big5'],
    ['<meta charset=utf-16>', null],
    ['<meta charset=nonsense>', null],
    ['<p>charset=utf-8', null],
  ] as const) {
    assert.equal(getMarkupCharset(Buffer.from(head)), charset, head)
  }
})
