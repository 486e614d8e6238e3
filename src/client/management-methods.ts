import type { BodyOf, Call, CallOptions, QueryOf } from './call-operation.ts'
import { iteratePages } from './resource-methods.ts'

/** Methods of `projects`. */
export function projectsOf(call: Call) {
  return {
    create: (name: string, more?: CallOptions) => call('createProject', { body: { name } }, more),
    get: (id: string, more?: CallOptions) => call('getProject', { path: { id } }, more),
    rename: (id: string, name: string, more?: CallOptions) =>
      call('updateProject', { path: { id }, body: { name } }, more),
    /** Deletes a project, but not its memories. */
    delete: (id: string, more?: CallOptions) => call('deleteProject', { path: { id } }, more),
    list: (more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listProjects', { query: cursor }, more)
        return { items: page.projects, nextCursor: page.nextCursor }
      }),
  }
}

/** Methods of `webhooks`. */
export function webhooksOf(call: Call) {
  return {
    /** Creates a webhook. Only this response has the secret. */
    create: (body: BodyOf<'createWebhook'>, more?: CallOptions) => call('createWebhook', { body }, more),
    get: (id: string, more?: CallOptions) => call('getWebhook', { path: { id } }, more),
    /** Deletes a webhook and its waiting messages. */
    delete: (id: string, more?: CallOptions) => call('deleteWebhook', { path: { id } }, more),
    /** Sends a test message. A successful test enables a disabled webhook. */
    test: (id: string, more?: CallOptions) => call('testWebhook', { path: { id } }, more),
    list: (more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listWebhooks', { query: cursor }, more)
        return { items: page.webhooks, nextCursor: page.nextCursor }
      }),
    /** Lists one page of delivery attempts, newest first. */
    listDeliveriesPage: (id: string, query: QueryOf<'listWebhookDeliveries'> = {}, more?: CallOptions) =>
      call('listWebhookDeliveries', { path: { id }, query }, more),
  }
}

/** Methods of `sources`. */
export function sourcesOf(call: Call) {
  const pathOf = (id: string, sourceId: string) => ({ path: { id, sourceId } })
  return {
    /** Lets a memory follow a website, a bucket or a folder. */
    create: (memoryId: string, body: BodyOf<'createSource'>, more?: CallOptions) =>
      call('createSource', { path: { id: memoryId }, body }, more),
    get: (memoryId: string, id: string, more?: CallOptions) => call('getSource', pathOf(memoryId, id), more),
    /** Changes the given fields; settings of the type are merged. */
    change: (memoryId: string, id: string, { signal, ...body }: BodyOf<'changeSource'> & CallOptions) =>
      call('changeSource', { ...pathOf(memoryId, id), body }, { signal }),
    /** Deletes a source; `documents: 'delete'` also deletes its documents. */
    delete: (memoryId: string, id: string, { signal, ...query }: QueryOf<'deleteSource'> & CallOptions = {}) =>
      call('deleteSource', { ...pathOf(memoryId, id), query }, { signal }),
    /** Makes a run due now. */
    run: (memoryId: string, id: string, more?: CallOptions) => call('runSource', pathOf(memoryId, id), more),
    pause: (memoryId: string, id: string, more?: CallOptions) => call('pauseSource', pathOf(memoryId, id), more),
    resume: (memoryId: string, id: string, more?: CallOptions) => call('resumeSource', pathOf(memoryId, id), more),
    list: (memoryId: string, more?: CallOptions) =>
      iteratePages(async (cursor) => {
        const page = await call('listSources', { path: { id: memoryId }, query: cursor }, more)
        return { items: page.sources, nextCursor: page.nextCursor }
      }),
  }
}
