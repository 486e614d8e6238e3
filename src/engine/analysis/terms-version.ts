/**
 * Goes up by one with every change by which a text makes other terms than before: then the terms of all chunks are made again behind the start
 * (`services/doctor/renew-terms.ts`). A test holds it to what it stands for.
 */
export const TERMS_VERSION = 1
