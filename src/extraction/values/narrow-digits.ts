const WIDE_DIGIT = /[０-９]/g
const WIDE_MARK = /(?<=\d)[，．／－：](?=\d)|(?<=\d)％/g
/** From a character of full width (U+FF01 to U+FF5E) to its like in ASCII. */
const TO_ASCII = 0xfee0

/** A text with its digits of full width, and the marks between and behind them, as ASCII: `￥１，０００` becomes `￥1,000`. Places stay what they are. */
export function narrowDigits(text: string): string {
  return text.replace(WIDE_DIGIT, toAscii).replace(WIDE_MARK, toAscii)
}

function toAscii(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) - TO_ASCII)
}
