/** How the `type` of a list (`1`, `a`, `A`, `i`, `I`) writes a number; numbers without such a form stay figures. */
export function formatListNumber(number: number, type: string): string {
  if (/^[aA]$/.test(type) && number > 0) return formatLetters(number, type)
  if (/^[iI]$/.test(type) && number > 0 && number < 4000) {
    const roman = formatRoman(number)
    return type === 'i' ? roman.toLowerCase() : roman
  }
  return String(number)
}

/** 1 is a, 26 is z, 27 is aa. */
function formatLetters(number: number, first: string): string {
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(first.charCodeAt(0) + ((rest - 1) % 26)) + letters
  }
  return letters
}

const ROMAN: readonly (readonly [number, string])[] = [
  [1000, 'M'],
  [900, 'CM'],
  [500, 'D'],
  [400, 'CD'],
  [100, 'C'],
  [90, 'XC'],
  [50, 'L'],
  [40, 'XL'],
  [10, 'X'],
  [9, 'IX'],
  [5, 'V'],
  [4, 'IV'],
  [1, 'I'],
]

function formatRoman(number: number): string {
  let rest = number
  let text = ''
  for (const [value, letters] of ROMAN) {
    text += letters.repeat(Math.floor(rest / value))
    rest %= value
  }
  return text
}
