/** How addresses are spelled, and what is read of them before anything is routed. */
import { type IncomingMessage, ServerResponse } from 'node:http';
import type { Request, Response } from 'express';
import { describe, expect, it } from 'vitest';
import { idOf, submissionOf } from '../../../src/http/submission-address.js';
import { tidyAddress, tidyPath, withoutOrigin } from '../../../src/http/tidy-address.js';

const ID = '0b7c6e0e-6f0f-4f0a-9f6a-3a4b5c6d7e8f';

describe('the path that is routed', () => {
  it.each([
    ['/samples', '/samples'],
    ['/samples/', '/samples'],
    ['/samples///', '/samples'],
    ['/', '/'],
    ['///', '/'],
    ['', ''],
    ['/samples.json', '/samples'],
    ['/submissions/7.json/', '/submissions/7'],
    ['/samples/json', '/samples/json'],
    ['/samples/x.json.tsv', '/samples/x.json.tsv'],
    ['//samples//x', '//samples//x'],
  ])('of %s is %s', (path, routed) => {
    expect(tidyPath(path)).toBe(routed);
  });

  it.each([
    '/openapi.json',
    '/registry/OpenAPI.json',
    '/page/data.json',
    '/samples/by-key/lims/plate.json',
    '/Samples/By-Key/lims/plate.json',
    '/profiles/mine.json',
    '/accounts/lab.json',
  ])('keeps .json where it is part of a name: %s', (path) => {
    expect(tidyPath(path)).toBe(path);
    expect(tidyPath(`${path}/`)).toBe(path);
  });

  it.each(['/myopenapi.json', '/samples/pages.json', '/openapi.json/x.json'])('and takes it from %s', (path) => {
    expect(tidyPath(path)).toBe(path.slice(0, -'.json'.length));
  });

  it('is written into the request, and the query stays as it was sent', () => {
    const rewritten = (url: string): string => {
      const request = { url } as Request;
      let passed = 0;
      tidyAddress(request, {} as Response, () => passed++);
      expect(passed).toBe(1);
      return request.url;
    };
    expect(rewritten('/samples/')).toBe('/samples');
    expect(rewritten('/samples/?text=a/&x=b.json')).toBe('/samples?text=a/&x=b.json');
    expect(rewritten('/samples.json?')).toBe('/samples?');
    expect(rewritten('/samples?next=/tokens/')).toBe('/samples?next=/tokens/');
    expect(rewritten('?a=/')).toBe('?a=/');
  });
});

describe('an address as proxies are sent it', () => {
  it.each([
    ['http://x', '/'],
    ['http://x?a=1', '/?a=1'],
    ['http://x/', '/'],
    ['HTTPS://x:8443/samples/7?a=1', '/samples/7?a=1'],
    ['svn+ssh://x/a', '/a'],
    ['h2.c-1://x/a', '/a'],
    ['/samples?next=http://x/a', '/samples?next=http://x/a'],
    ['//x/a', '//x/a'],
    ['*', '*'],
    ['7http://x/a', '7http://x/a'],
    ['x:/a', 'x:/a'],
    ['ahttp//x/a', 'ahttp//x/a'],
    ['', '/'],
  ])('%s is %s', (address, within) => {
    expect(withoutOrigin(address)).toBe(within);
  });
});

describe('the submission that a request is about', () => {
  const about = (path: string, location?: string): string | undefined => {
    const response = new ServerResponse({ method: 'GET' } as IncomingMessage);
    if (location !== undefined) response.setHeader('Location', location);
    return submissionOf(response, path);
  };

  it('is the one in its address, as it is stored, in whatever case it was written', () => {
    for (const path of [`/submissions/${ID}`, `/registry/submissions/${ID}/errors`, `/Submissions/${ID.toUpperCase()}`])
      expect(about(path)).toBe(ID);
    for (const path of ['/submissions', '/submissions/results', `/webhooks/${ID}`, `/submissions/${ID.slice(1)}`])
      expect(about(path)).toBeUndefined();
  });

  it('is the one that it made, where it made one', () => {
    const other = ID.replace('0b7c', 'ffff');
    expect(about('/submissions', `http://x/submissions/${ID}`)).toBe(ID);
    expect(about(`/submissions/${other}/undo`, `http://x/submissions/${ID}`)).toBe(ID);
    expect(about(`/submissions/${other}/undo`, 'http://x/samples/SAMR1')).toBe(other);
  });

  it('is read of a whole id, and what is none is refused with what was written', () => {
    const read = (id: unknown) => idOf({ params: { id } } as unknown as Request);
    expect(read(ID.toUpperCase())).toBe(ID);
    for (const id of [`${ID}0`, `0${ID}`, `${ID.slice(0, -1)}g`, ID.replaceAll('-', ''), ''])
      expect(() => read(id)).toThrow(`There is no submission "${id}" of yours.`);
    expect(() => read('x'.repeat(99))).toThrow(`There is no submission "${'x'.repeat(60)}" of yours.`);
    expect(() => read('7')).toThrow(expect.objectContaining({ code: 'submission.not-found' }));
  });
});
