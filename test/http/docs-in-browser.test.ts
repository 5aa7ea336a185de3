/** The readable interface description in a real browser. */
import { chromium } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../src/http/openapi/openapi.js';
import { service as serviceOf, without } from '../support/services.js';
import { startService } from './service.js';

describe.skipIf(without('chromium'))('/docs in a browser', () => {
  it('renders every operation, styled, without complaint and without a request to any other host', {
    tags: 'slow',
  }, async () => {
    const service = await startService();
    const browser = await chromium.launch({ executablePath: serviceOf('chromium'), args: ['--no-sandbox'] });
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      const hosts = new Set<string>();
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('request', (request) => hosts.add(new URL(request.url()).origin));
      await page.goto(`${service.url}/docs`);
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toBe('Sample registry: interface');
      expect(await page.locator('main section').count()).toBe(OPERATIONS.length);
      expect(await page.evaluate<string>('getComputedStyle(document.body).fontFamily')).toContain('system-ui');
      await page.getByRole('link', { name: 'PUT /samples/{accession}', exact: true }).click();
      expect(new URL(page.url()).hash).toBe('#put-samples-accession');
      // A favicon that is not there is the browser's own question.
      expect(complaints.filter((text) => !text.includes('favicon') && !text.includes('404'))).toEqual([]);
      expect([...hosts]).toEqual([new URL(service.url).origin]);
    } finally {
      await browser.close();
      await service.stop();
    }
  });
});
