import type { OperatorGate } from '@sluice/web/contract'

export type GateCommand = {
  readonly purpose: 'resume' | 'unswept' | 'outside' | 'cold' | 'refill'
  readonly command: string
}

/** The commands that an operator may want to run for a gate as it stands. What they must choose stands in capitals. */
export function gateCommands(gate: OperatorGate): GateCommand[] {
  const { gate_id, network, environment, simulated } = gate
  const all: (GateCommand & { isOf: boolean })[] = [
    {
      purpose: 'resume',
      isOf: gate.status === 'halted',
      command: `npx sluice gate resume ${gate_id} --from-height HEIGHT`,
    },
    {
      purpose: 'unswept',
      isOf: gate.unswept.length > 0,
      command: `npx sluice wallet unswept --network ${network}`,
    },
    {
      purpose: 'outside',
      isOf: gate.hot_wallet !== null && !simulated,
      command: `npx sluice wallet outside ${gate_id}`,
    },
    {
      purpose: 'cold',
      isOf: gate.cold !== null,
      command: `npx sluice wallet cold --network ${network}`,
    },
    {
      purpose: 'refill',
      isOf: gate.cold !== null && !simulated,
      command: `npx sluice wallet refill --network ${network} --environment ${environment} --amount AMOUNT --out refill.json`,
    },
  ]
  return all.flatMap(({ isOf, purpose, command }) => (isOf ? [{ purpose, command }] : []))
}
