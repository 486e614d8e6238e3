/** Headers as OTEL_EXPORTER_OTLP_HEADERS has them (W3C Baggage: `name=value`, comma-separated, percent-encoded); what has no name is left out. */
export function parseOtlpHeaders(text: string): Record<string, string> {
  const headers = text.split(',').map((part) => {
    const [name = '', ...value] = part.split('=')
    return [name.trim(), decode(value.join('=').trim())] as const
  })
  return Object.fromEntries(headers.filter(([name]) => name !== ''))
}

/** A percent sign may be one. */
function decode(text: string): string {
  return /%(?![0-9a-f]{2})/i.test(text) ? text : decodeURIComponent(text)
}
