/**
 * The health check of the image: ends with 0 when the service answers on its own port within 3 s, else with 1. It asks /health, not
 * /health/ready: a process whose database is down for a minute must not be restarted for it.
 */
const port = process.env.RECOLLECT_PORT || process.env.PORT || '8080'
const answer = await fetch(`http://127.0.0.1:${port}/health`, { signal: AbortSignal.timeout(3000) }).catch(() => null)
process.exit(answer?.ok ? 0 : 1)
