import { UnreachableError } from './api/errors.ts'

const longestMs = 20_000

/** Code that is loaded on demand. Fails if it does not arrive in time, as when the service is away, or is gone, as after an upgrade. */
export async function loadCode<Module>(load: () => Promise<Module>): Promise<Module> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${longestMs / 1000} seconds.`)), longestMs)
  })
  try {
    return await Promise.race([load(), tooLate])
  } catch (error) {
    throw new UnreachableError('Code of this page cannot be loaded.', { cause: error })
  } finally {
    clearTimeout(timer)
  }
}
