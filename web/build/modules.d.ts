// What build.mjs provides to the sources: Emscripten's glue, style sheets as text, the version.

declare module 'posenc-glue-simd' {
  const createPosenc: (options: object) => Promise<any>
  export default createPosenc
}

declare module 'posenc-glue-plain' {
  const createPosenc: (options: object) => Promise<any>
  export default createPosenc
}

declare module '*.css' {
  const text: string
  export default text
}

declare const POSENC_VERSION: string | undefined
