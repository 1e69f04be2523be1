/** The index of `docs/inference/`, which `inference-docs.ts` of the build makes. */
declare module 'virtual:inference-docs' {
  export const SECTIONS: readonly import('./contents.ts').DocsSection[];
}
declare module 'virtual:inference-docs-headings' {
  export const HEADINGS: readonly import('./contents.ts').DocsHeadings[];
}
