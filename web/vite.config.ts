import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Relative addresses throughout: the page works under any base path, and behind a proxy that cuts one off. */
export default defineConfig({
  root: import.meta.dirname,
  base: './',
  plugins: [react()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences.md' },
  },
  server: { proxy: { '^/(?!page/|@|src/|node_modules/|web/)': 'http://127.0.0.1:8080' } },
});
