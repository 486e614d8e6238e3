/** A number in Roman numerals, `MMXXVI`; one that has none (below 1, above 3999) in figures. */
export function toRoman(value: number): string {
  if (value < 1 || value > 3999) return String(value)
  let rest = value
  let roman = ''
  for (const [worth, letters] of ROMAN) {
    for (; rest >= worth; rest -= worth) roman += letters
  }
  return roman
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
