import { toRoman } from '../to-roman.ts'

/** How the `type` of a list (`1`, `a`, `A`, `i`, `I`) writes a number; numbers without such a form stay figures. */
export function formatListNumber(number: number, type: string): string {
  if (/^[aA]$/.test(type) && number > 0) return formatLetters(number, type)
  if (type === 'I') return toRoman(number)
  if (type === 'i') return toRoman(number).toLowerCase()
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
