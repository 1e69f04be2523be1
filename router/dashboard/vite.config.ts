/**
 * Builds the dashboard into `dist/`, which the router serves. File names are hashed, and files are
 * compressed once, by this build.
 */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { compression } from 'vite-plugin-compression2';
import { inferenceDocs } from './inference-docs.ts';
import { runbookDocs } from './runbook-docs.ts';

/** The Host header stays as the browser sent it, because the router compares the Origin with it. */
const ROUTER = {
  target: process.env['PENSTOCK_URL'] ?? 'http://127.0.0.1:8080',
  changeOrigin: false,
};

/**
 * Puts small modules that many pages share into two chunks. In chunks of their own, they were 106
 * requests of the first page, of which HTTP/1.1 allows six at a time.
 */
const FEW_CHUNKS = [
  { name: 'entry', tags: ['$initial' as const], priority: 2 },
  { name: 'shared', minShareCount: 6, priority: 1 },
];

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    runbookDocs(),
    inferenceDocs(),
    react(),
    tailwindcss(),
    woff2Only(),
    compression({ algorithms: ['brotliCompress', 'gzip'] }),
  ],
  build: {
    target: 'es2024',
    // Inlined data would need a more permissive Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: FEW_CHUNKS } } },
  },
  // `npm run dashboard` serves the page from here, and the API and texts from a running router. The
  // pattern names parts of `/api`, because sources of the page are below `/api/`, too.
  server: {
    host: '127.0.0.1',
    proxy: {
      '^/api/(?:v1|openapi)': ROUTER,
      '/v1': ROUTER,
      '^/(?:llms\\.txt|status\\.atom|docs/[a-z-]+\\.md)$': ROUTER,
    },
  },
});

/** Leaves out fonts of KaTeX in older formats, which no supported browser loads. */
function woff2Only(): Plugin {
  return {
    name: 'woff2-only',
    enforce: 'pre',
    transform: (code, id) =>
      id.endsWith('/katex.min.css')
        ? code.replaceAll(/,url\([^)]*\) format\("(?:woff|truetype)"\)/g, '')
        : null,
  };
}
