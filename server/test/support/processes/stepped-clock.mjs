// Preloaded into a process: its wall clock is wrong by STEPPED_CLOCK_MS, and by the opposite after every SIGUSR2.
const RealDate = Date
let stepMs = Number(process.env.STEPPED_CLOCK_MS)
process.on('SIGUSR2', () => {
  stepMs = -stepMs
})
globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + stepMs)
    else super(...given)
  }
  static now() {
    return RealDate.now() + stepMs
  }
}
