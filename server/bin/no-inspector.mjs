/**
 * Node opens a debugger port when it receives SIGUSR1. Any process of the same user could send it, connect, and run what it
 * likes with our rights. With a listener the signal does nothing. To debug, start Node with `--inspect`.
 */
process.on('SIGUSR1', () => {})
