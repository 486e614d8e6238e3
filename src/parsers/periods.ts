/** A year, a month, a day: in digits, or a month in letters with its year (`Jan-24`, `March 2024`). */
const PERIOD =
  /^(?:(?:19|20)\d\d(?:[-/]\d\d)?|\d{1,4}([-./])\d{1,2}\1\d{1,4}|\p{L}{3,10}\.?[ '\-/]{1,2}(?:(?:19|20)\d\d|\d\d))$/u

/** True for a text that says a year, a month or a day and nothing else, which a column of figures may be named by. */
export function isPeriod(text: string): boolean {
  return PERIOD.test(text)
}
