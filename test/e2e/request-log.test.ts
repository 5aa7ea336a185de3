/** @module-tag slow */
import { expect, it } from 'vitest';
import { startServer } from '../support/server.js';

it('requests are logged without the query of their address, at debug level too', async () => {
  const server = await startServer({ env: { LOG_LEVEL: 'debug' } });
  try {
    await server.get('/samples?text=patient-4711&size=1');
    await server.call('/samples/nowhere?text=patient-4712', { method: 'DELETE' });
    await expect.poll(() => server.output().match(/"msg":"request"/g)?.length ?? 0).toBeGreaterThanOrEqual(2);
    const lines = server
      .output()
      .split('\n')
      .filter((line) => line.includes('"msg":"request"'));
    expect(lines.map((line) => JSON.parse(line).path)).toEqual(
      expect.arrayContaining(['/samples', '/samples/nowhere']),
    );
    expect(server.output()).not.toMatch(/patient-471/);
  } finally {
    await server.stop();
  }
});
