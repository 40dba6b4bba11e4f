import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { mayReserve, reservePort } from './reserve-port.ts';

const PORTS_MODULE = new URL('reserve-port.ts', import.meta.url).href;

/** Asks another process for a port. */
function mayAnotherReserve(port: number): boolean {
  const code = `import { mayReserve } from ${JSON.stringify(PORTS_MODULE)}; console.log(await mayReserve(${port}));`;
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], { encoding: 'utf8' }).trim() === 'true';
}

test('a reserved port is given to nobody else, in this process or in another, and a program can listen at it', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, reservePort));
  expect(new Set(ports).size).toBe(ports.length);
  const [port = 0] = ports;
  expect(mayAnotherReserve(port)).toBe(false);
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening');
  expect(await mayReserve(port)).toBe(false);
  server.close();
  await once(server, 'close');
  // Its own again, as a server that restarts needs it.
  expect(await mayReserve(port)).toBe(true);
  expect(mayAnotherReserve(port)).toBe(false);
});
