// Not from the routes: the script that runs before anything is drawn must be small, and a file of its own.
const outside =
  /^\/dashboard\/(?:sign-in|forgot-password|reset|invitation|new-password|welcome|(?:.+\/)?connect)\/?$/

/** Whether the page at a path stands alone, without the menu. */
export function isOutside(pathname: string): boolean {
  return outside.test(pathname)
}
