/**
 * The health check of the image: exits with 0 if the service responds within 3 s, otherwise with 1.
 * It uses /health, not /health/ready: a database outage must not restart the process.
 */
const port = process.env.RECOLLECT_PORT || process.env.PORT || '8080'
const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(3000) }).catch(() => null)
process.exit(answer?.ok ? 0 : 1)
