// ESLint for everything in JavaScript, and the import rules: who may import whom.
import { fileURLToPath } from 'node:url'
import importX, { createNodeResolver } from 'eslint-plugin-import-x'
import globals from 'globals'
import { mayImport } from './imports.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** Inside the engine the order is worker -> engine -> load, and client -> protocol, engine. */
const engineOrder = [
  {
    target: 'engine/engine.js',
    from: ['engine/remote/worker.js', 'engine/client.js', 'engine/remote/protocol.js'],
  },
  {
    target: 'engine/load.js',
    from: ['engine/remote', 'engine/client.js', 'engine/engine.js'],
  },
  {
    target: 'engine/remote/protocol.js',
    from: ['engine/remote/worker.js', 'engine/client.js', 'engine/engine.js', 'engine/load.js'],
  },
  { target: 'engine/calls', from: ['engine/remote', 'engine/client.js', 'engine/engine.js'] },
  { target: 'engine/remote/worker.js', from: ['engine/client.js'] },
  { target: 'engine/client.js', from: ['engine/remote/worker.js'] },
]

/** @param {string} part */
const source = (part) => `./web/src/${part}`

const zones = [
  ...Object.entries(mayImport).map(([part, others]) => ({
    target: source(part),
    from: './web/src',
    except: [part, ...others].map((other) => `./${other}`),
    message: `${part} may import ${others.join(', ') || 'nothing outside itself'}`,
  })),
  ...engineOrder.map(({ target, from }) => ({ target: source(target), from: from.map(source) })),
  { target: './web', from: './tests', message: 'nothing imports tests' },
  { target: './web/src', from: './web/build', message: 'the product does not import its build' },
]

/** Every way to turn text into markup or code. */
const unsafeNames =
  'innerHTML|outerHTML|insertAdjacentHTML|setHTMLUnsafe|parseHTMLUnsafe|createContextualFragment|srcdoc'
const unsafeSyntax = [
  {
    selector: `MemberExpression[property.name=/^(${unsafeNames})$/]`,
    message: 'text is set with textContent, elements are created',
  },
  {
    selector: `MemberExpression[property.value=/^(${unsafeNames})$/]`,
    message: 'text is set with textContent, elements are created',
  },
  {
    selector:
      "CallExpression[callee.object.name='document'][callee.property.name=/^(write|writeln)$/]",
    message: 'elements are created',
  },
]

/** A number that a sentence or a curve shows is the kernel's: the page reckons pixels alone. */
const reckoning = ['exp', 'log', 'log2', 'log10', 'sqrt', 'sin', 'cos', 'tan', 'pow', 'hypot'].map(
  (property) => ({ object: 'Math', property, message: 'arithmetic lives in the kernel' }),
)
const mayReckon = [
  // Scales, sliders, digits, and how much work is in one slice.
  'charts/**/*.js',
  'kit/controls.js',
  'kit/format.js',
  'lab/view/after.js',
  'scenes/cost/models.js',
  'scenes/precision/errors.js',
  'engine/calls/codes.js',
  // A first loss, until a run has one.
  'lab/view/losses.js',
]

/** The globals that exist in a page, in a worker and in Node 18. */
const everywhere = Object.fromEntries(
  Object.keys(globals['shared-node-browser']).map((name) => [name, 'readonly']),
)

export default [
  { ignores: ['build/', 'dist/', 'node_modules/'] },
  {
    files: ['**/*.js', '**/*.mjs'],
    plugins: { 'import-x': importX },
    languageOptions: { ecmaVersion: 'latest', sourceType: 'module', globals: everywhere },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    settings: {
      'import-x/resolver-next': [createNodeResolver({ extensions: ['.js', '.mjs', '.json'] })],
    },
    rules: {
      'array-callback-return': 'error',
      'default-case-last': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'guard-for-in': 'error',
      'no-caller': 'error',
      'no-cond-assign': 'error',
      'no-const-assign': 'error',
      'no-constant-condition': 'error',
      'no-dupe-args': 'error',
      'no-dupe-class-members': 'error',
      'no-dupe-else-if': 'error',
      'no-dupe-keys': 'error',
      'no-duplicate-case': 'error',
      'no-empty': 'error',
      'no-eval': 'error',
      'no-fallthrough': 'error',
      'no-func-assign': 'error',
      'no-implied-eval': 'error',
      'no-import-assign': 'error',
      'no-inner-declarations': 'error',
      'no-loss-of-precision': 'error',
      'no-new-func': 'error',
      'no-redeclare': 'error',
      'no-script-url': 'error',
      'no-self-assign': 'error',
      'no-shadow': 'error',
      'no-sparse-arrays': 'error',
      'no-undef': 'error',
      'no-unreachable': 'error',
      'no-unsafe-finally': 'error',
      'no-unsafe-optional-chaining': 'error',
      'no-unused-expressions': 'error',
      'no-unused-vars': ['error', { caughtErrors: 'none' }],
      'no-useless-catch': 'error',
      'no-useless-escape': 'error',
      'no-var': 'error',
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx', 'hack'] }],
      'object-shorthand': 'error',
      'prefer-const': 'error',
      'prefer-promise-reject-errors': 'error',
      'require-atomic-updates': 'off',
      'use-isnan': 'error',
      'valid-typeof': 'error',
      'no-restricted-syntax': ['error', ...unsafeSyntax],
      'import-x/first': 'error',
      'import-x/no-duplicates': 'error',
      'import-x/no-self-import': 'error',
      'import-x/no-mutable-exports': 'error',
      'import-x/no-cycle': 'error',
      'import-x/no-unresolved': [
        'error',
        { ignore: ['^posenc-(glue-|words$)', '^node:', '^posenc-lab$'] },
      ],
      'import-x/no-restricted-paths': ['error', { basePath: root, zones }],
    },
  },
  {
    files: ['web/src/**/*.js'],
    languageOptions: {
      globals: { ...globals.browser, ...globals.worker, POSENC_VERSION: 'readonly' },
    },
    rules: { 'no-console': 'error', 'no-restricted-properties': ['error', ...reckoning] },
  },
  {
    files: mayReckon.map((file) => `web/src/${file}`),
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // State is pure: it knows no page. What it uses must exist in a page, a worker and Node.
    files: ['web/src/state/**/*.js', 'web/src/config/**/*.js'],
    languageOptions: {
      globals: Object.fromEntries(
        Object.keys({ ...globals.browser, ...globals.worker })
          .filter((name) => !(name in everywhere))
          .map((name) => [name, 'off']),
      ),
    },
  },
  {
    files: ['web/src/charts/**/*.js'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '^(?!\\./(core/)?[a-z_]+\\.js$|d3-array$)',
              message: 'a chart draws what it is given',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['web/build/**/*.mjs', 'tests/**/*.mjs'],
    languageOptions: { globals: globals.node },
  },
  {
    // These run partly inside a page.
    files: ['tests/web/**/*.mjs', 'web/build/bench_page.mjs'],
    languageOptions: { globals: globals.browser },
  },
]
