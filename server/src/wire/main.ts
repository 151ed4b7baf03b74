import packaged from '../../package.json' with { type: 'json' }
import { buildProgram } from '../cli/program.ts'
import { readSettings } from '../settings/settings.ts'
import { Closers } from './closers.ts'
import { readDemo } from './demo-file.ts'
import { leaveEnvironment, type Taken, takePassphrase } from './exposed-passphrase.ts'
import { sayLastWords } from './last-words.ts'
import { openLog } from './open-log.ts'
import { startProcesses } from './processes.ts'

/**
 * The command line: what `npx sluice` runs. `pages` says whether the pages were built, if they are being built
 * meanwhile.
 */
export async function main(argv: readonly string[], pages?: Promise<boolean>): Promise<void> {
  sayLastWords()
  let how: Taken['how'] = 'none'
  const program = buildProgram(
    {
      version: packaged.version,
      readSettings() {
        const taken = takePassphrase(process.env)
        how = taken.how
        return readSettings({ ...process.env, SLUICE_WALLET_PASSPHRASE: taken.passphrase })
      },
      // Standard output is for the command's result.
      createLog: openLog,
      async startProcesses(settings, role, log, isDemoAsked) {
        await leaveEnvironment(settings, how, log)
        return startProcesses(settings, role, log, { ...(pages && { pages }), isDemoAsked })
      },
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
      openWebhookSender: async (url) => (await import('./webhook-sender.ts')).openWebhookSender(url),
      checkSetUp: async (settings, log) =>
        (await import('./doctor/check-set-up.ts')).checkSetUp(settings, log),
      tryGate: async (wanted, settings) =>
        (await import('./try-gate.ts')).tryGate(
          wanted,
          settings && { assets: settings.assets, gates: settings.config.gates },
        ),
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
      backup: {
        keygen: async () => (await backupTools()).keygen(),
        take: async (...given) => (await backupTools()).take(...given),
        follow: async (...given) => (await backupTools()).follow(...given),
        restore: async (...given) => (await backupTools()).restore(...given),
        verify: async (...given) => (await backupTools()).verify(...given),
      },
      signer: {
        settings: async (...given) => (await import('./signer-tools.ts')).signerTools.settings(...given),
      },
    },
    argv,
  )
  await program.parseAsync(argv)
}

// Loaded on demand, as above.
async function walletTools() {
  return (await import('./wallet-tools.ts')).walletTools
}

async function backupTools() {
  return (await import('./backup-tools.ts')).backupTools
}

async function passkeyTools() {
  return (await import('./passkey-tools.ts')).passkeyTools
}
