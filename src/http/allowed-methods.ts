import type { Route } from './route.ts'

/** The methods that a concrete path takes, empty for a path that no route has: for 405 with `Allow`, and OPTIONS. */
export function createAllowedMethods(routes: readonly Pick<Route, 'method' | 'url'>[]): (path: string) => string[] {
  const patterns = routes.map(({ method, url }) => ({ method, url, pattern: toPattern(url) }))
  return (path) => {
    const fitting = patterns.filter(({ pattern }) => pattern.test(path))
    // A path that a route has by its very words is that one's alone: `/v1/memories/import` is no memory.
    const named = fitting.filter(({ url }) => !url.includes(':'))
    const methods = (named.length > 0 ? named : fitting).map(({ method }) => method)
    if (methods.length === 0) return []
    const all = methods.includes('GET') ? ['GET', 'HEAD', ...methods, 'OPTIONS'] : [...methods, 'OPTIONS']
    return [...new Set<string>(all)]
  }
}

function toPattern(url: string): RegExp {
  const segments = url.split('/').map((part) => {
    // As the router has it: a parameter with something behind it ends at the first full stop.
    const parameter = /^:\w+$/.test(part) ? '[^/]+' : '[^/.]+'
    return part.replace(/[.]/g, '\\.').replace(/^:\w+/, parameter)
  })
  return new RegExp(`^${segments.join('/')}/?$`)
}
