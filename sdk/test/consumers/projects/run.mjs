// Runs a consumer against a server: `run.mjs FILE ORIGIN`. Works in Node, Deno and Bun.
const [file, origin] = process.argv.slice(2)
const { shop } = await import(`./${file}`)
process.stdout.write(JSON.stringify(await shop(origin)))
