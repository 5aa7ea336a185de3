/** Which operation a request is: as what it is counted, and that words go before parameters. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../src/http/openapi/openapi.js';
import { kindOf, nameOf, operationOf, routeBelow, routeOf } from '../../../src/http/operation-match.js';

const filled = (path: string): string => path.replace(/\{\w+\}/g, 'x');

describe('each operation', () => {
  it('is found at its address, spelled in any letter case, with slashes or .json behind it, and by its method', () => {
    for (const operation of OPERATIONS) {
      const { method, path } = operation;
      const address = filled(path);
      for (const spelled of [address, address.toUpperCase(), `${address}/`])
        expect(operationOf(method.toUpperCase(), spelled), `${method} ${spelled}`).toBe(operation);
      expect(routeOf(address)).toBe(nameOf(operation));
      expect(operationOf('BREW', address)).toBeUndefined();
    }
    expect(operationOf('GET', '/samples.json')).toBe(operationOf('GET', '/samples'));
  });

  it('is counted as what it costs: reads, uploads, sign-ins, and every other change', () => {
    for (const { method, path, limit } of OPERATIONS) {
      const reads = ['get', 'head', 'options'].includes(method);
      expect(kindOf(method.toUpperCase(), filled(path)), `${method} ${path}`).toBe(reads ? 'read' : (limit ?? 'write'));
    }
    expect(kindOf('POST', '/nowhere')).toBe('write');
    expect(kindOf('get', '/submissions')).toBe('read');
  });
});

describe('the name of an address', () => {
  it('is that of its words, and where these lead nowhere that of its parameters', () => {
    expect(nameOf({ path: '/samples/{accession}/history/{version}' })).toBe('/samples/:id/history/:id');
    expect(nameOf({ path: '/' })).toBe('/');
    expect(nameOf({ path: '/page/' })).toBe('/page');
    expect(routeOf('/samples/accession')).toBe('/samples/accession');
    expect(routeOf('/samples/SAMR1')).toBe('/samples/:id');
    expect(routeOf('/samples/accession/history')).toBe('/samples/:id/history');
    // by-key is a word, at which nothing is answered.
    expect(routeOf('/samples/by-key')).toBe('/samples/:id');
    expect(routeOf('/')).toBe('/');
  });

  it('is that of the whole page below it, and of nothing else', () => {
    expect(routeOf('/page/assets/x.js')).toBe('/page');
    for (const path of ['/docs/style.css/x', '/samples/by-key/x', '/health', '/nowhere'])
      expect(routeOf(path), path).toBe('other');
  });

  it('is looked for below the base path alone', () => {
    expect(routeBelow('', '/samples')).toBe('/samples');
    expect(routeBelow('/registry', '/registry')).toBe('/');
    expect(routeBelow('/registry', '/REGISTRY/samples/SAMR1')).toBe('/samples/:id');
    for (const path of ['/samples', '/registryx/samples', '/registrysamples', '/other/samples', '/registr/samples'])
      expect(routeBelow('/registry', path), path).toBe('other');
  });
});
