// esbuild: the ES module, the worker and the style sheet.
import { readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import * as esbuild from 'esbuild'
import { minify } from 'terser'
import { UserError, dist, root } from './common.mjs'
import { variants, wasmFiles } from './emscripten.mjs'
import { wordsPlugin } from './words.mjs'

/**
 * Emscripten's glue is a classic script, because only that runs in a blob worker on a file:// page.
 * This makes `import createPosenc from 'posenc-glue-simd'` (or -plain) give its factory.
 * @type {esbuild.Plugin}
 */
const gluePlugin = {
  name: 'posenc-glue',
  setup(build) {
    build.onResolve({ filter: /^posenc-glue-(simd|plain)$/ }, async ({ path }) => {
      const texts = variants.map((name) => readFile(wasmFiles(name).glue, 'utf8'))
      const [first, second] = await Promise.all(texts)
      // Both builds import the same functions: one glue serves both.
      const name = first === second ? 'plain' : path.replace('posenc-glue-', '')
      return { path: name, namespace: 'posenc-glue', sideEffects: false }
    })
    build.onLoad({ filter: /.*/, namespace: 'posenc-glue' }, async ({ path }) => {
      const variant = variants.find((name) => name === path)
      if (!variant) throw new Error(`no such build: ${path}`)
      const source = await readFile(wasmFiles(variant).glue, 'utf8')
      return { contents: `${withoutModuleTail(source)}\nexport default createPosenc\n` }
    })
  },
}

/**
 * Drops the lines that hand the factory to CommonJS or AMD loaders: in a bundle they are dead code.
 * @param {string} source
 */
function withoutModuleTail(source) {
  const tail = source.search(
    /if\s*\(typeof exports\s*===\s*['"]object['"]\s*&&\s*typeof module\s*===\s*['"]object['"]/,
  )
  return tail > 0 ? source.slice(0, tail) : source
}

/**
 * A style sheet imported from JavaScript arrives as minified text, for adoption in a shadow root.
 * @type {esbuild.Plugin}
 */
const cssTextPlugin = {
  name: 'css-text',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, async ({ path }) => ({
      contents: await styleSheet(path),
      loader: 'text',
      watchFiles: [path],
    }))
  },
}

/**
 * Templates of elements go without the indentation of their source.
 * @type {esbuild.Plugin}
 */
const templatesPlugin = {
  name: 'templates',
  setup(build) {
    build.onLoad({ filter: /[/\\]web[/\\]src[/\\].*\.js$/ }, async ({ path }) => {
      const text = await readFile(path, 'utf8')
      return { contents: text.includes('html`') ? text.replace(/\n +/g, '\n') : text }
    })
  },
}

/**
 * What page.js stands on differs: the site's page loads the module beside it, the one-file page
 * carries the element inside, with its own way to the .wasm files.
 * @param {string} entry
 * @returns {esbuild.Plugin}
 */
const pagePlugin = (entry) => ({
  name: 'page',
  setup(build) {
    build.onResolve({ filter: /^\.\/index\.js$/ }, ({ importer }) => {
      if (basename(importer) !== 'page.js') return undefined
      return entry.endsWith('/site_page.js')
        ? { path: './posenc-lab.js', external: true }
        : { path: join(root, 'web/src/element/element.js'), sideEffects: true }
    })
  },
})

/**
 * Bundles one entry into one text.
 * @param {string} path absolute
 * @param {esbuild.BuildOptions} options
 * @returns {Promise<string>}
 */
async function bundledText(path, options) {
  /** @type {esbuild.BuildResult} */
  let result
  try {
    result = await esbuild.build({
      absWorkingDir: root,
      bundle: true,
      minify: true,
      write: false,
      charset: 'utf8',
      logLevel: 'silent',
      entryPoints: [path],
      outfile: join(dist, basename(path)),
      ...options,
    })
  } catch (error) {
    const { errors } = /** @type {esbuild.BuildFailure} */ (error)
    if (!errors) throw error
    throw new UserError((await esbuild.formatMessages(errors, { kind: 'error' })).join(''))
  }
  for (const warning of await esbuild.formatMessages(result.warnings, { kind: 'warning' })) {
    process.stderr.write(warning)
  }
  const [file] = result.outputFiles ?? []
  if (!file) throw new Error('esbuild wrote nothing')
  return file.text
}

/**
 * @param {string} entry relative to the project
 * @param {'esm' | 'iife'} format
 * @param {string} version
 * @returns {Promise<string>}
 */
export async function bundle(entry, format, version) {
  const text = await bundledText(join(root, entry), {
    format,
    legalComments: 'none',
    target: ['es2022', 'chrome100', 'firefox100', 'safari15.4'],
    // lit-html as it is for Node: the module is imported there, too, where there is no document.
    alias: {
      'lit-html': join(root, 'node_modules/lit-html/node/lit-html.js'),
      'lit-html/directives': join(root, 'node_modules/lit-html/node/directives'),
    },
    define: { POSENC_VERSION: JSON.stringify(version) },
    plugins: [gluePlugin, cssTextPlugin, wordsPlugin, pagePlugin(entry), templatesPlugin],
  })
  // esbuild is a bundler first: what Terser still finds is a twentieth of the download.
  const { code } = await minify(text, {
    ecma: 2020,
    module: format === 'esm',
    toplevel: true,
    // No getter here does anything but get, and nobody reads how many arguments a function names.
    compress: { passes: 3, inline: 1, pure_getters: true, keep_fargs: false, unsafe_arrows: true },
  })
  if (!code) throw new Error('Terser wrote nothing')
  return `${code}\n`
}

/**
 * One style sheet with its imports inlined.
 * @param {string} path absolute
 */
export const styleSheet = (path) => bundledText(path, {})
