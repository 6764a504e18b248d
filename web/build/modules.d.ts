// What build.mjs provides to the sources: Emscripten's glue, words, style sheets as text, the version.

declare module 'posenc-glue-simd' {
  const createPosenc: (options: object) => Promise<any>
  export default createPosenc
}

declare module 'posenc-glue-plain' {
  const createPosenc: (options: object) => Promise<any>
  export default createPosenc
}

declare module 'posenc-words' {
  /** By key; the house rules look for every key that the sources name. */
  const words: Record<'en' | 'zh', Record<string, string>>
  export default words
}

declare module '*.css' {
  const text: string
  export default text
}

declare const POSENC_VERSION: string | undefined
