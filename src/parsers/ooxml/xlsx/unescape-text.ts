/** Text of a cell with `_x000D_` and the like as the characters they stand for (ECMA-376 part 1, section 22.9.2.19). */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    return character === '\r' || character === '\0' ? '' : character
  })
}
