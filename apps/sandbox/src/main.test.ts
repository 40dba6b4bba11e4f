import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { at, call, textAt } from './testing/harness.ts';

const entry = fileURLToPath(new URL('main.ts', import.meta.url));

interface Run {
  readonly child: ChildProcess;
  readonly firstLine: Promise<string>;
  readonly ended: Promise<{ code: number | null; stderr: string }>;
}

function run(env: Record<string, string>): Run {
  const free = { SANDBOX_PORT: '0', SANDBOX_PAYSTACK_PORT: '0', SANDBOX_FLUTTERWAVE_PORT: '0' };
  const child = spawn(process.execPath, [entry], { env: { PATH: process.env.PATH, ...free, ...env } });
  let stdout = '';
  let stderr = '';
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.on('data', (chunk) => {
      stdout += String(chunk);
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')));
    });
  });
  const ended = once(child, 'close').then(([code]) => ({ code: typeof code === 'number' ? code : null, stderr }));
  return { child, firstLine, ended };
}

describe('the command', () => {
  it('prints all addresses in one line of JSON, and ends on SIGTERM with a call still open', async () => {
    const { child, firstLine, ended } = run({ SANDBOX_PAYSTACK_SECRET_KEY: 'sk_test_of_the_demo' });
    const ready: unknown = JSON.parse(await firstLine);
    expect(ready).toEqual({
      ready: true,
      controlUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      gateways: {
        paystack: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
        flutterwave: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
      },
    });
    const paystack = textAt(ready, 'gateways', 'paystack');
    expect((await call('GET', `${paystack}/transaction`, 'sk_test_of_the_demo')).status).toBe(200);
    await call('PUT', `${textAt(ready, 'controlUrl')}/control/paystack/fault`, null, { kind: 'hang' });
    const open = call('GET', `${paystack}/transaction`, 'sk_test_of_the_demo').catch(() => 'cut');
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(await open).toBe('cut');
  });

  it('ends with code 2 and one sentence when a port is taken', async () => {
    const blocker = createServer().listen(0, '127.0.0.1');
    await once(blocker, 'listening');
    const port = at(blocker.address(), 'port');
    const { code, stderr } = await run({ SANDBOX_FLUTTERWAVE_PORT: String(port) }).ended;
    blocker.close();
    expect(code).toBe(2);
    expect(stderr).toBe(`The Flutterwave simulator cannot start: 127.0.0.1:${port} is already in use by another program.\n`);
  });

  it('ends with code 2 and one sentence when a setting is wrong', async () => {
    const { code, stderr } = await run({ SANDBOX_PORT: 'four' }).ended;
    expect([code, stderr]).toEqual([2, 'The sandbox cannot start: port must be a port number.\n']);
  });
});
