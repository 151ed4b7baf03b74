import { createHook } from 'node:async_hooks'

/** How many passwords are hashed meanwhile. */
export async function hashesDuring(work: () => Promise<unknown>): Promise<number> {
  let hashed = 0
  const hook = createHook({
    init: (_, type) => {
      if (type === 'ARGON2REQUEST') hashed++
    },
  }).enable()
  await work()
  hook.disable()
  return hashed
}
