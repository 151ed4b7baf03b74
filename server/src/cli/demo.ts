import type { Command } from 'commander'
import type { Demo } from '../app/merchants/create-demo.ts'
import { ServiceError } from '../domain/errors.ts'
import { answer, explaining, withJson } from './answer.ts'
import { framed } from './framed.ts'
import type { Tools } from './tools.ts'

/** Shows the demo shop that the first start created. */
export function addDemo(program: Command, tools: Tools): void {
  withJson(program.command('demo'))
    .description('show the demo merchant’s test key and login')
    .action((_options: object, command: Command) =>
      explaining(async () => {
        const settings = tools.readSettings()
        const demo = await tools.readDemo(settings)
        if (demo === null)
          throw new ServiceError(
            'not_found',
            `There is no demo in ${settings.dataDir}. The first start on an empty embedded database creates one, ` +
              'unless there is a live gate or HOST lets other machines in: npx sluice start --demo. For a key of another merchant: npx sluice key create --help',
          )
        answer(command, demoFields(demo), demoFrame(demo, urlOf(settings)))
      }),
    )
}

/** For machines: the same field names wherever a demo is shown. */
export function demoFields(demo: Demo) {
  return {
    merchant_id: demo.merchantId,
    test_key: demo.key,
    dashboard_email: demo.email,
    dashboard_password: demo.password,
  }
}

/** For people. */
export function demoFrame(demo: Demo, url: string): string {
  return framed('Demo shop (show it again: npx sluice demo)', [
    `Test key   ${demo.key}`,
    // By name: browsers create passkeys for names, not for IP addresses.
    `Dashboard  ${url.replace('//127.0.0.1', '//localhost')}/dashboard`,
    `E-mail     ${demo.email}`,
    `Password   ${demo.password} (the first sign-in replaces it)`,
  ])
}

function urlOf({ publicUrl, host, port }: ReturnType<Tools['readSettings']>): string {
  return publicUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}
