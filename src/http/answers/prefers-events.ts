/**
 * True for an Accept header that would rather have server-sent events than JSON: it names them with the higher weight, or first where
 * both have the same. Wildcards ask for neither.
 */
export function prefersEvents(accept: string | undefined): boolean {
  const ranges = (accept ?? '').toLowerCase().split(',').map(readRange)
  const named = ranges.filter(({ type, weight }) => (type === EVENTS || type === JSON_TYPE) && weight > 0)
  const best = Math.max(...named.map(({ weight }) => weight))
  return named.find(({ weight }) => weight === best)?.type === EVENTS
}

const EVENTS = 'text/event-stream'
const JSON_TYPE = 'application/json'

function readRange(range: string): { type: string; weight: number } {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1'
  return { type, weight: Number.isNaN(Number(weight)) ? 1 : Number(weight) }
}
