/** Counts one request of a name in its window; gives how many there are in it by now, and when it ends. */
export type CountRequest = (
  name: string,
  windowMs: number,
) => { requests: number; endsAt: Date } | Promise<{ requests: number; endsAt: Date }>
