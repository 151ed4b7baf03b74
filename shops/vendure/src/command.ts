#!/usr/bin/env node
import { connect } from '../../shared/connect.ts'

const [name, ...args] = process.argv.slice(2)
const run =
  name === 'connect' ? connect('vendure', args) : Promise.reject(new Error('Usage: sluice-vendure connect'))
run.catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`)
  process.exitCode = 1
})
