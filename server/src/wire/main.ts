import packaged from '../../package.json' with { type: 'json' }
import { buildProgram } from '../cli/program.ts'
import { readSettings } from '../settings/settings.ts'
import { Closers } from './closers.ts'
import { readDemo } from './demo-file.ts'
import { sayLastWords } from './last-words.ts'
import { openLog } from './open-log.ts'
import { startProcesses } from './processes.ts'

/**
 * The command line: what `npx sluice` runs. `pages` says whether the pages were built, if they are being built
 * meanwhile.
 */
export async function main(argv: readonly string[], pages?: Promise<boolean>): Promise<void> {
  sayLastWords()
  const program = buildProgram({
    version: packaged.version,
    readSettings() {
      const settings = readSettings(process.env)
      // Processes started from here on must not inherit it; the signer gets it over its own channel.
      delete process.env.SLUICE_WALLET_PASSPHRASE
      return settings
    },
    // Standard output is for the command's result.
    createLog: openLog,
    startProcesses: (settings, role, log, isDemoAsked) =>
      startProcesses(settings, role, log, { ...(pages && { pages }), isDemoAsked }),
    readDemo,
    async withApp(settings, log, work) {
      // Loaded on demand: `start` hands everything to its own processes, which should begin soon.
      const { openApp } = await import('./app.ts')
      const closers = new Closers()
      try {
        const { app, gates } = await openApp(settings, 'command', log, closers)
        await gates.load()
        return await work(app)
      } finally {
        await closers.close()
      }
    },
    wallet: {
      init: async (...given) => (await walletTools()).init(...given),
      addresses: async (...given) => (await walletTools()).addresses(...given),
      reconcile: async (...given) => (await walletTools()).reconcile(...given),
    },
    passkeys: {
      list: async (...given) => (await passkeyTools()).list(...given),
      trust: async (...given) => (await passkeyTools()).trust(...given),
      forget: async (...given) => (await passkeyTools()).forget(...given),
      require: async (...given) => (await passkeyTools()).require(...given),
    },
  })
  await program.parseAsync(argv)
}

// Loaded on demand, as above.
async function walletTools() {
  return (await import('./wallet-tools.ts')).walletTools
}

async function passkeyTools() {
  return (await import('./passkey-tools.ts')).passkeyTools
}
