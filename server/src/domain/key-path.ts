/** Which of our keys an input or account belongs to: a deposit address, or our own change and hot wallet. */
export type KeyPath = { readonly chain: 'deposit' | 'own'; readonly index: number }
