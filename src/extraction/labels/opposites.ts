/** Meanings that exclude each other: a label with one is none with the other, however much else they share. */
const OPPOSITES = [
  'start end',
  'check_in check_out',
  'due issue birth publication',
  'total subtotal net balance prepayment',
  'total tax',
  'subtotal tax',
  'net tax',
  'customer supplier',
  'sender recipient',
  'landlord tenant',
  'employee employer',
  'maximum minimum',
  'surname firstname',
  'phone fax',
  'email phone',
  'birth start',
  'birth end',
  'due start',
  'sign birth',
  'sign due',
  'previous current',
  'first last',
  'deposit rent',
] as const

const OPPOSED: ReadonlySet<string> = new Set(
  OPPOSITES.flatMap((line) => {
    const words = line.split(' ')
    return words.flatMap((a) => words.filter((b) => a !== b).map((b) => `${a} ${b}`))
  }),
)

/** True for two meanings that exclude each other. */
export function areOpposed(one: string, other: string): boolean {
  return OPPOSED.has(`${one} ${other}`)
}
