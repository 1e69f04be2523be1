/** What `runbook-docs.ts` of the build makes of docs/runbooks.md. */
declare module 'virtual:runbooks' {
  type Content = import('react').ComponentType<{ components: object }>;
  export const GROUPS: readonly import('../../../runbook-sections.ts').RunbookGroup[];
  export const LOADS: Readonly<Record<string, () => Promise<{ default: Content }>>>;
}

/** What each alert means, by its name. */
declare module 'virtual:runbook-titles' {
  export const TITLES: Readonly<Record<string, string>>;
}
