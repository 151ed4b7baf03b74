import { type Command, Option } from 'commander'
import type { Log } from '../log.ts'
import { answer, explaining, withJson } from './answer.ts'
import { demoFields, demoFrame } from './demo.ts'
import { sameSignalMs } from './same-signal.ts'
import { type Processes, type ServiceRole, serviceRoles, type Tools } from './tools.ts'

/** A stop that takes longer than this says what it is waiting for. */
const quietStopMs = 2_000

export function addStart(program: Command, tools: Tools): void {
  withJson(program.command('start'))
    .description('run the service until it is stopped')
    .addOption(
      new Option('--role <role>', 'run everything, or one part').choices([...serviceRoles]).default('all'),
    )
    .option('--demo', 'create a demo merchant if there is no merchant, even beside live gates')
    .action((options: { role: ServiceRole; demo?: true }, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const log = tools.createLog(settings, settings.logLevel)
        let processes: Processes | null = null
        const told = stopSignal(log, () => processes?.hurry())
        try {
          processes = await tools.startProcesses(settings, options.role, log, options.demo === true)
          const { url, demo } = processes
          const known = demo ?? (await tools.readDemo(settings))
          if (!told.aborted)
            answer(command, { url, ...(demo && demoFields(demo)) }, welcome(processes, known !== null))
          const code = await Promise.race([untilTold(told), processes.ended])
          if (code !== undefined) {
            log.fatal({ code }, 'THE SERVICE ENDED ON ITS OWN: the log above says why')
            process.exitCode = code
          }
        } catch (error) {
          // Ctrl-C in a terminal also ends the processes that are just starting.
          if (!told.aborted) throw error
        } finally {
          await processes?.stop()
        }
        log.info('stopped')
      }),
    )
}

/** Aborts at the first signal to stop. A later one means that the stop may wait for no caller any more. */
function stopSignal(log: Log, hurry: () => void): AbortSignal {
  const told = new AbortController()
  let toldAt = 0
  const onSignal = (signal: NodeJS.Signals) => {
    if (told.signal.aborted) {
      if (performance.now() - toldAt < sameSignalMs) return
      log.warn({ signal }, 'told to stop again: requests in flight are cut off')
      hurry()
      return
    }
    toldAt = performance.now()
    told.abort()
    const slow = () => log.info({ signal }, 'stopping: finishing work in progress first')
    setTimeout(slow, quietStopMs).unref()
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  return told.signal
}

function untilTold(told: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (told.aborted) resolve(undefined)
    told.addEventListener('abort', () => resolve(undefined))
  })
}

function welcome({ url, demo, isEmpty }: Processes, isDemoKept: boolean): string {
  if (url === null) return 'Sluice is running. Stop it with Ctrl-C.'
  const lines = [
    '',
    `Sluice is ready at ${url}. Stop it with Ctrl-C.`,
    '',
    `  API reference  ${url}/docs`,
    `  Currencies     ${url}/api/v1/currencies`,
    '',
  ]
  if (demo !== null)
    lines.push(
      'A first invoice (README.md shows how to pay it on the simulated network):',
      '',
      `  curl ${url}/api/v1/invoices -H "X-API-Key: ${demo.key}" \\`,
      `    -H "Content-Type: application/json" -d '{"currency": "BTC", "amount": "0.01"}'`,
      '',
      demoFrame(demo, url),
      '',
    )
  else if (isEmpty)
    lines.push(
      'There is no merchant yet. Create one, and the first operator:',
      '',
      '  npx sluice merchant create --help',
      '  npx sluice user create --help',
      '',
    )
  else if (isDemoKept) lines.push('The demo shop’s key and login: npx sluice demo', '')
  else lines.push('Create a key: npx sluice key create --help', '')
  return lines.join('\n')
}
