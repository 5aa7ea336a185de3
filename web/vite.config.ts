import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/**
 * Relative addresses throughout: the page works under any base path, and behind a proxy that cuts one off. While it is
 * worked on it stands at /page/, as served, and everything else is asked of the service on port 8080.
 */
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: command === 'serve' ? '/page/' : './',
  plugins: [react()],
  // The service's own sheet reader is part of the page; its csv-parse comes in a build that brings its Buffer along.
  resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '^/(?!page/)': 'http://127.0.0.1:8080' }, fs: { allow: ['..'] } },
}));
