import type { NextConfig } from 'next'

const config: NextConfig = {
  // This folder alone is the app, also within a larger repository.
  turbopack: { root: import.meta.dirname },
}

export default config
