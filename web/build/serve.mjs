// `npm start`: serves dist/ on this machine only, on $PORT or a free port.
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, sep } from 'node:path'
import { UserError, dist, isMain, runMain, say } from './common.mjs'

/** @type {Record<string, string>} */
const mimeTypes = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.mjs': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ts': 'text/plain; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.wasm': 'application/wasm',
}

/**
 * The file a request path names, or undefined when there is none inside `folder`.
 * @param {string} folder real path
 * @param {string} pathname percent-encoded
 */
async function fileFor(folder, pathname) {
  try {
    const name = decodeURIComponent(pathname)
    if (name.includes('\0') || name.includes('\\')) return undefined
    let path = join(folder, name)
    if ((await stat(path)).isDirectory()) path = join(path, 'index.html')
    // The real path, so that neither `..` nor a symbolic link leads out of the folder.
    const real = await realpath(path)
    const info = await stat(real)
    if (!info.isFile() || !real.startsWith(folder + sep)) return undefined
    return { path: real, size: info.size }
  } catch {
    return undefined
  }
}

/**
 * @param {string} folder
 * @param {{ port?: number, headers?: Record<string, string> }} [options]
 * @returns {Promise<{ origin: string, close: () => Promise<void> }>}
 */
export async function serveFolder(folder, { port = 0, headers = {} } = {}) {
  const top = await realpath(folder)
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  /** @param {import('node:http').IncomingMessage} request @param {import('node:http').ServerResponse} response */
  async function answer(request, response) {
    const { method, url = '/' } = request
    if (method !== 'GET' && method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end()
      return
    }
    const pathname = url.split(/[?#]/, 1)[0] ?? '/'
    const file = await fileFor(top, pathname)
    if (!file) {
      response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end('Not found\n')
      return
    }
    response.writeHead(200, {
      'content-type': mimeTypes[extname(file.path)] ?? 'application/octet-stream',
      'content-length': file.size,
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    if (method === 'HEAD') response.end()
    else {
      createReadStream(file.path)
        .on('error', () => response.destroy())
        .pipe(response)
    }
  }

  await new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, '127.0.0.1', () => resolve(undefined))
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port was given')
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function main() {
  const wanted = process.env.PORT ?? '0'
  const port = Number(wanted)
  if (!Number.isInteger(port) || port < 0 || port > 65535) {
    throw new UserError(`PORT must be a whole number from 0 to 65535, not "${wanted}"`)
  }
  let server
  try {
    server = await serveFolder(dist, { port })
  } catch (error) {
    const code = /** @type {NodeJS.ErrnoException} */ (error).code
    if (code === 'ENOENT') throw new UserError('dist/ is missing: run `npm run build` first')
    if (code === 'EADDRINUSE')
      throw new UserError(`port ${port} is in use; leave PORT unset to get a free one`)
    if (code === 'EACCES') throw new UserError(`port ${port} needs rights this user does not have`)
    throw error
  }
  say(`Open ${server.origin}/   (Ctrl-C ends it)`)
  for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM'])) {
    process.once(signal, () => {
      void server.close().then(() => process.exit(0))
    })
  }
}

if (isMain(import.meta.url)) await runMain(main)
