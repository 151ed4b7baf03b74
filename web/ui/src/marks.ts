/** A drawing on a 24 by 24 grid: white on the colour, as lines or as a surface. */
export type Mark = { readonly colour: string; readonly lines?: string; readonly surface?: string }

const diamond = 'M12 4l5 8.2l-5 3l-5-3zM7 13.8l5 3l5-3l-5 6.2z'
const bars = 'M8.6 7h9.4l-2.6 2.6H6zM6 10.7h9.4l2.6 2.6H8.6zM8.6 14.4h9.4l-2.6 2.6H6z'
const squares =
  'M12 5.2l3.2 3.2l-1.6 1.6l-1.6-1.6l-1.6 1.6l-1.6-1.6zM6.8 10.4l1.6 1.6l-1.6 1.6l-1.6-1.6zM17.2 10.4l1.6 1.6l-1.6 1.6l-1.6-1.6zM12 10.4l1.6 1.6l-1.6 1.6l-1.6-1.6zM12 18.8l-3.2-3.2l1.6-1.6l1.6 1.6l1.6-1.6l1.6 1.6z'
const hexagons = 'M8.8 8.6l2.9 1.7v3.4l-2.9 1.7l-2.9-1.7v-3.4zM15.2 8.6l2.9 1.7v3.4l-2.9 1.7l-2.9-1.7v-3.4z'
const peaks = 'M12 5.5l2 3.5l-5.3 9H5zM15.8 12.5l3.2 5.5h-6.3z'
const double = 'M6.5 6.5l3.7 3.6a2.6 2.6 0 0 0 3.6 0l3.7-3.6M6.5 17.5l3.7-3.6a2.6 2.6 0 0 1 3.6 0l3.7 3.6'

const bitcoin: Mark = {
  colour: '#e07b00',
  lines:
    'M9 12h4.2a2.2 2.2 0 0 0 0-4.5H9v9.1h4.8a2.3 2.3 0 0 0 0-4.6M10.6 5.6v1.9M13 5.6v1.9M10.6 16.6v1.9M13 16.6v1.9',
}
const ether: Mark = { colour: '#5b6bd6', surface: diamond }
const litecoin: Mark = { colour: '#4a6fb5', lines: 'M11.6 6.5L9.4 16.7h6.4M7.8 13.2l6-2.4' }
const solana: Mark = { colour: '#7a3fd0', surface: bars }
const bnb: Mark = { colour: '#c08a00', surface: squares }
const polygon: Mark = { colour: '#7440d8', lines: hexagons }
const avalanche: Mark = { colour: '#d6333a', surface: peaks }
const xrp: Mark = { colour: '#3c4650', lines: double }

/** Our own drawings of the currencies, by their codes. */
export const currencyMarks: Readonly<Record<string, Mark>> = {
  BTC: bitcoin,
  ETH: ether,
  LTC: litecoin,
  SOL: solana,
  BNB: bnb,
  POL: polygon,
  AVAX: avalanche,
  XRP: xrp,
  USDT: {
    colour: '#1f8a6b',
    lines: 'M7 7.5h10M12 7.5v10M12 10.2c-3.5 0-5.5.7-5.5 1.6s2 1.6 5.5 1.6s5.5-.7 5.5-1.6s-2-1.6-5.5-1.6',
  },
  USDC: {
    colour: '#2a6fc9',
    lines:
      'M14.3 9.6c-.3-1-1.2-1.5-2.3-1.5c-1.3 0-2.3.7-2.3 1.9c0 2.7 4.7 1.3 4.7 4c0 1.2-1 1.9-2.4 1.9c-1.2 0-2.2-.5-2.5-1.6M12 6.8v1.3M12 15.9v1.3M8.8 5.6a7.2 7.2 0 0 0 0 12.8M15.2 5.6a7.2 7.2 0 0 1 0 12.8',
  },
}

/** Our own drawings of the networks, by their ids. */
export const networkMarks: Readonly<Record<string, Mark>> = {
  bitcoin,
  ethereum: ether,
  litecoin,
  solana,
  bsc: bnb,
  polygon,
  avalanche,
  xrp,
  arbitrum: { colour: '#2c4f7c', lines: 'M7 18l5-12l5 12M9 13.2h6' },
  base: { colour: '#1f50e0', surface: 'M12 5.5a6.5 6.5 0 1 1-6.4 7.6h8.2v-2.2H5.6A6.5 6.5 0 0 1 12 5.5z' },
  optimism: {
    colour: '#d9304a',
    lines: 'M8.6 9a2.5 3 0 1 0 .01 0zM13.6 15V9h2.4a1.9 1.9 0 0 1 0 3.8h-2.4',
  },
}

/** Whether a currency and its network have the same mark, so that one of them says it all. */
export function isSameMark(currency: string, network: string): boolean {
  return currencyMarks[currency] === networkMarks[network]
}
