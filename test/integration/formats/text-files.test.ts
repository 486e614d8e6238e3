/** Plain texts in encodings from before Unicode, and XML that is not well-formed. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import iconv from 'iconv-lite'
import { openFileReader } from './open-file-reader.ts'

const readFile = openFileReader()

describe('a text in an old encoding', () => {
  const texts: readonly (readonly [language: string, encoding: string, text: string])[] = [
    ['Croatian', 'windows-1250', 'Brod za otok kreće u šest; čekamo vašu potvrdu i želimo vam sreću.\r\n'],
    ['Slovene', 'iso-8859-2', 'Ladja na otok odpluje zvečer, če bo vreme lepo; šest ljudi že čaka.\r\n'],
    ['Latvian', 'windows-1257', 'Kuģis uz salu iziet vakarā, ja būs labs laiks; seši cilvēki jau gaida.\r\n'],
    ['Latvian', 'iso-8859-13', 'Biļešu cenas mainās jūlijā; „seši” cilvēki jau gaida krastā.\r\n'],
    ['Estonian', 'iso-8859-15', 'Tšehhi žanrifilm jookseb homme õhtul. Šampanja on külmkapis.\r\n'],
    ['Hungarian', 'windows-1250', 'A hajó este hatkor indul a szigetre, őszintén szólva könnyű út.\r\n'],
    ['Russian', 'koi8-r', 'Пароход уходит на остров вечером, если будет хорошая погода.\r\n'],
  ]
  for (const [language, encoding, text] of texts)
    it(`is read: ${language} in ${encoding}`, async () => {
      const { format, text: found, warnings } = await readFile('notice.txt', iconv.encode(text, encoding))
      assert.deepEqual([format, found, warnings], ['txt', text, []])
    })

  it('is read: Korean in Johab', async () => {
    const bytes = Buffer.from(
      '97779481936520d081886120bba1a16520c561bbb393a194612e20b46588818861208fa1a16520b9b7b76920c3b393a194612e20e595e4e62032d1a120d968',
      'hex',
    )
    assert.equal(
      (await readFile('notice.txt', bytes)).text,
      '등대는 해가 지면 켜집니다. 안개가 끼면 종을 칩니다. 燈臺 2호 ※',
    )
  })
})

it('a bare ampersand in XML is text, and a warning names its line', async () => {
  const { format, text, warnings } = await readFile('crew.xml', '<crew>\n<name>Reed & Vale</name>\n</crew>')
  assert.equal(format, 'xml')
  assert.match(text, /Reed & Vale/)
  assert.deepEqual(warnings, [
    'The XML is not well-formed: it has one bare "&", first at line 2. Each was read as text.',
  ])
})
