/** Linearizes a MathML formula: `s/t`, `x^2`, `√(a+b)`. */
type FormulaMarks = {
  /** Returns the text before an element; '' outside of a formula. */
  begin(name: string): string
  /** Returns the text after an element. */
  end(name: string): string
}

/** Text before each child of an element, by index. MathML Core, sections 3.3 and 3.4. */
const OPERAND_MARKS: ReadonlyMap<string, readonly string[]> = new Map([
  ['mfrac', ['', '/']],
  ['msup', ['', '^']],
  ['msub', ['', '_']],
  ['msubsup', ['', '_', '^']],
  ['munder', ['', '_']],
  ['munderover', ['', '_', '^']],
  ['msqrt', ['√']],
])
/** Elements that group several children into a single operand. */
const GROUP_ELEMENTS: ReadonlySet<string> = new Set(['mrow', 'mstyle', 'mpadded'])

/** Creates the state of a file. Unclosed elements end with their formula. */
export function createFormulaMarks(): FormulaMarks {
  let open: { name: string; parts: number; behind: string }[] = []

  return {
    begin(name) {
      const own = localName(name)
      const parent = open.at(-1)
      if (parent === undefined && own !== 'math') return ''
      const mark = parent === undefined ? '' : (OPERAND_MARKS.get(parent.name)?.[parent.parts] ?? '')
      const isGroup = parent !== undefined && OPERAND_MARKS.has(parent.name) && GROUP_ELEMENTS.has(own)
      if (parent !== undefined) parent.parts += 1
      open.push({ name: own, parts: 0, behind: isGroup ? ')' : '' })
      return mark + (isGroup ? '(' : '')
    },
    end(name) {
      const own = localName(name)
      if (own === 'math') open = []
      return open.at(-1)?.name === own ? (open.pop()?.behind ?? '') : ''
    },
  }
}

const MATHML_NAME = new RegExp(
  String.raw`^(?:\w+:)?(?:math|m(?:[ino]|row|frac|su[bp]|subsup|under|over|underover|sqrt|root|text|style|` +
    'padded|space|fenced|table|t[rd]))$',
)

/** True for a MathML element; MathML elements do not separate words. */
export function isOfFormula(name: string): boolean {
  return MATHML_NAME.test(name)
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
