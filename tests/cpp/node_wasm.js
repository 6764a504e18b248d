/* global Module, require, __filename */
// Emscripten 3.1.6 fetches the .wasm file wherever fetch exists, which in Node 18 it does, and Node
// fetches no files. Prepended to the test program.
Module.wasmBinary = require('fs').readFileSync(__filename.replace(/\.js$/, '.wasm'))
