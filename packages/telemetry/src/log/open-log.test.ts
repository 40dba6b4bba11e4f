import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('a process that is killed has written its last line', () => {
  const program = `
    import { openLog } from ${JSON.stringify(new URL('open-log.ts', import.meta.url).href)};
    const log = openLog({ LOG_LEVEL: 'info' });
    for (let line = 1; line <= 1_000; line++) log.info({ line });
    process.kill(process.pid, 'SIGKILL');`;
  const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' });
  expect(signal).toBe('SIGKILL');
  expect(stdout.trimEnd().split('\n').at(-1)).toContain('"line":1000');
});
