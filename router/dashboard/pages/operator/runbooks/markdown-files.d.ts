/** What the plugin of `inference-docs.ts` makes of a file of Markdown. */
declare module '*.md' {
  const content: import('react').ComponentType<{ components: object }>;
  export default content;
}
