/** Styles that come with a page's script. */
declare module '*.css' {}

/** Styles as a text. `scripts/build-web.ts` provides it. */
declare module '*.css?inline' {
  const styles: string
  export default styles
}
