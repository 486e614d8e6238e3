import { AccountSchema } from '../../../api/account.ts'
import { ok } from '../../answers/answers.ts'
import { defineRoute, type Route } from '../../route.ts'

/** API document, "Account". */
export const ACCOUNT_ROUTES: readonly Route[] = [
  defineRoute({
    method: 'GET',
    url: '/v1/account',
    operationId: 'getAccount',
    summary: 'Organization, plan, limits and usage',
    tag: 'Account',
    access: 'organization',
    answers: { 200: { description: 'The account.', schema: AccountSchema } },
    errors: [],
    handle: async ({ services, caller }) => ok(await services.account.get(caller)),
  }),
]
