/** Builds the dashboard into `dist/`, which the router serves: hashed names, and compressed once, here. */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compression } from 'vite-plugin-compression2';

/** The host stays as the browser has it: the router holds the origin against it. */
const ROUTER = {
  target: process.env['PENSTOCK_URL'] ?? 'http://127.0.0.1:8080',
  changeOrigin: false,
};

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss(), compression({ algorithms: ['brotliCompress', 'gzip'] })],
  build: {
    target: 'es2024',
    // Inlined data would need more of the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  // `npm run dashboard`: the page from here (`/api/…` has sources, too), all else from a running router.
  server: { host: '127.0.0.1', proxy: { '^/api/(?:v1|docs|openapi)': ROUTER, '/v1': ROUTER } },
});
