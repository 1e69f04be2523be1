/** What `inference-docs.ts` of the build makes of `docs/inference/`: its index, and its texts. */
declare module 'virtual:inference-docs' {
  export const SECTIONS: readonly import('./contents.ts').DocsSection[];
}

declare module 'virtual:inference-texts' {
  export const TEXTS: readonly import('./search/docs-search.ts').Section[];
}
