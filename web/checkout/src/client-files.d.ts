/** The names of the browser's files, which carry a hash of what is in them. `scripts/build-web.ts` provides it. */
declare module 'virtual:client-files' {
  const files: {
    readonly script: string
    /** Its URL. */
    readonly font: string
    readonly messages: Readonly<Record<string, string>>
  }
  export default files
}
