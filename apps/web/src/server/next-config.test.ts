import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..', '..');

test('a web process has the settings that it was given, and none of a local start in the same checkout', () => {
  const checkout = mkdtempSync(join(tmpdir(), 'switchyard-checkout-'));
  onTestFinished(() => rmSync(checkout, { recursive: true, force: true }));
  const server = join(checkout, 'apps', 'web', 'src', 'server');
  mkdirSync(server, { recursive: true });
  mkdirSync(join(checkout, '.local'));
  writeFileSync(join(checkout, '.local', 'env'), "SWITCHYARD_PRIVATE_ADDRESSES='allow'\nSWITCHYARD_KEY_PEPPER='local'\n");
  cpSync(join(import.meta.dirname, 'next-config.ts'), join(server, 'next-config.ts'));
  symlinkSync(join(ROOT, 'node_modules'), join(checkout, 'node_modules'));
  const script = "await import('./next-config.ts'); process.stdout.write(Object.keys(process.env).join(' '));";
  const { PATH } = process.env;
  const env = { PATH, NODE_ENV: 'production' } as const;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    cwd: server,
    env,
    encoding: 'utf8',
  });
  expect([stderr, stdout]).toEqual(['', expect.stringContaining('NODE_ENV')]);
  expect(stdout).not.toContain('SWITCHYARD_');
});
