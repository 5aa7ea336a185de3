/** What a service has mounted, read from Express itself while the service puts its routers together. */
import express from 'express';
import { vi } from 'vitest';

interface Layer {
  /** As it was given to `use` or `route`. */
  rawPath: string;
  route?: { stack: { method?: string }[] };
  handle: { stack?: Layer[] };
}

interface RouterWithLayers {
  stack: Layer[];
}

/** Remembers every router that is mounted at `path` from now on; `routes` lists what they answer. */
export function watchMounting(path: string): { routes: () => string[]; restore: () => void } {
  const use = vi.spyOn(express.Router.prototype as { use: (...args: unknown[]) => unknown }, 'use');
  const mounted = (): RouterWithLayers[] =>
    use.mock.calls.flatMap(([at, router]) => (at === path ? [router as RouterWithLayers] : []));
  return { routes: () => mounted().flatMap(({ stack }) => routesOf(stack, '')), restore: () => use.mockRestore() };
}

/** `GET /samples/{accession}`; `* /files` for what answers below an address by itself. */
function routesOf(stack: Layer[], prefix: string): string[] {
  return stack.flatMap(({ rawPath, route, handle }) => {
    const path = `${prefix}${rawPath}`.replace(/\/+$/, '').replace(/:(\w+)/g, '{$1}');
    if (route) {
      const methods = route.stack.flatMap(({ method }) => (method === undefined ? [] : [method.toUpperCase()]));
      return methods.map((method) => `${method} ${path || '/'}`);
    }
    const below = handle.stack ? routesOf(handle.stack, path) : [];
    // A function at the address of its router is no route of its own.
    return below.length > 0 || rawPath === '/' ? below : [`* ${path}`];
  });
}
