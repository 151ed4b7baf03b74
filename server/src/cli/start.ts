import { type Command, Option } from 'commander'
import type { Demo } from '../app/merchants/create-demo.ts'
import type { Log } from '../log.ts'
import { answer, explaining, withJson } from './answer.ts'
import { type Processes, type ServiceRole, serviceRoles, type Tools } from './tools.ts'

export function addStart(program: Command, tools: Tools): void {
  withJson(program.command('start'))
    .description('run the service until it is told to stop')
    .addOption(
      new Option('--role <role>', 'everything, or one part of it').choices([...serviceRoles]).default('all'),
    )
    .action((options: { role: ServiceRole }, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const log = tools.createLog(settings.logLevel)
        const told = stopSignal(log)
        let processes: Processes
        try {
          processes = await tools.startProcesses(settings, options.role, log)
        } catch (error) {
          // A terminal's Ctrl-C also ends what was just being started.
          if (told.aborted) return
          throw error
        }
        try {
          const { url, demo } = processes
          answer(
            command,
            {
              url,
              ...(demo && {
                merchant_id: demo.merchantId,
                test_key: demo.key,
                dashboard_email: demo.email,
                dashboard_password: demo.password,
              }),
            },
            welcome(url, demo),
          )
          const code = await Promise.race([untilTold(told), processes.ended])
          if (code !== undefined) {
            log.fatal({ code }, 'THE SERVICE ENDED BY ITSELF: the log above says why')
            process.exitCode = code
          }
        } finally {
          await processes.stop()
        }
        log.info('stopped')
      }),
    )
}

/** Aborts at the first SIGINT or SIGTERM; at the second the process ends at once, and its children with it. */
function stopSignal(log: Log): AbortSignal {
  const told = new AbortController()
  const onSignal = (signal: NodeJS.Signals) => {
    if (told.signal.aborted) process.exit(1)
    log.info({ signal }, 'stopping: requests in flight are finished first')
    told.abort()
  }
  process.on('SIGINT', onSignal)
  process.on('SIGTERM', onSignal)
  return told.signal
}

function untilTold(told: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (told.aborted) resolve(undefined)
    told.addEventListener('abort', () => resolve(undefined))
  })
}

function welcome(url: string | null, demo: Demo | null): string {
  if (url === null) return 'Sluice is working. Stop it with Ctrl-C.'
  const lines = [
    '',
    `Sluice is ready at ${url}`,
    '',
    `  API reference  ${url}/docs`,
    `  Currencies     ${url}/api/v1/currencies`,
  ]
  if (demo === null) {
    lines.push('', 'Make a key: npx sluice key create --help')
  } else {
    lines.push(
      '',
      'A demo merchant was made for you. Its test key and its login are shown this once:',
      '',
      `  Test key       ${demo.key}`,
      // By name: browsers make passkeys for names, not for numbers.
      `  Dashboard      ${url.replace('//127.0.0.1', '//localhost')}/dashboard`,
      `  E-mail         ${demo.email}`,
      `  Password       ${demo.password}`,
      '',
      'A first invoice:',
      '',
      `  curl ${url}/api/v1/invoices -H "X-API-Key: ${demo.key}" \\`,
      `    -H "Content-Type: application/json" -d '{"currency": "BTC", "amount": "0.01"}'`,
      '',
      'README.md shows how to pay it on the simulated network.',
    )
  }
  return [...lines, '', 'Stop it with Ctrl-C.', ''].join('\n')
}
