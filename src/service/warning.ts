/** What is worth knowing of a request that is answered all the same; `param` is the field it is about, `null` where it is about none. */
export type Warning = { code: string; message: string; param: string | null }
