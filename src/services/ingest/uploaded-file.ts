/** A file that an upload has put on the local disk; whoever put it there removes it. */
export type UploadedFile = {
  path: string
  bytes: number
  filename: string | null
  declaredType: string | null
}
