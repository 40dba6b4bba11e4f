import { chmodSync, renameSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, it } from 'vitest';
import { createScratchProject, type RunningStart, type ScratchProject } from '../testing/scratch-project.ts';
import { thisProject } from './project.ts';
import { setDatabaseAside } from './set-aside.ts';

/** Printed when everything runs. */
const READY = 'Ctrl-C stops everything';
const NOBODY = 65_534;
const LIMIT_MS = 240_000;
const POLL = { timeout: 120_000 };
/** Keeps a build from going on before it may. */
const HELD_BUILD = `import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
while (!existsSync('go')) await pause(20);
`;

let project: ScratchProject;
const starts: RunningStart[] = [];

function start(options?: Parameters<ScratchProject['start']>[0]): RunningStart {
  const started = project.start(options);
  starts.push(started);
  return started;
}

/** As a terminal does it: to every process of the foreground group at once. */
async function pressCtrlC(running: RunningStart): Promise<number | null> {
  process.kill(-running.pid, 'SIGINT');
  return running.exitCode;
}

function demo(): Record<string, string> {
  return JSON.parse(project.read('.local/demo.json'));
}

beforeAll(async () => {
  project = await createScratchProject();
});

afterEach(async () => {
  for (const running of starts.splice(0)) {
    if (running.child.exitCode === null) running.child.kill('SIGTERM');
    await running.exitCode;
  }
});

afterAll(() => project.remove());

describe('a start', { timeout: LIMIT_MS }, () => {
  it('starts everything, prints the addresses, and leaves no process after Ctrl-C', async () => {
    const running = start();
    await running.prints(READY);
    expect(running.output()).toContain(`curl -s ${demo().webUrl}/v1/payments/initiate`);
    expect(running.output()).toContain("'$(date +%s)'");
    expect(running.output()).toContain(demo().staffPassword);
    expect(await (await fetch(`${demo().webUrl}`)).text()).toBe('web');
    expect(await (await fetch(`${demo().sandboxUrl}`)).text()).toBe('sandbox');
    expect(await pressCtrlC(running)).toBe(0);
    expect(project.processes()).toEqual([]);
  });

  it('keeps the data and rebuilds nothing the next time', async () => {
    const before = demo().secretKey;
    const running = start();
    await running.prints(READY);
    expect([before, demo().secretKey]).toEqual(['starts:1', 'starts:2']);
    expect(running.output()).not.toMatch(/built|generated|migration/);
    await pressCtrlC(running);
  });

  it('rebuilds what an interrupted start left incomplete', async () => {
    const before = project.read('apps/web/.next/BUILD_ID');
    project.write('apps/web/.next/.made-from', '');
    const running = start();
    await running.prints('Pages built');
    expect(project.read('apps/web/.next/BUILD_ID')).not.toBe(before);
    await pressCtrlC(running);
  });

  it('leaves no process when the launcher is killed, and the next start works', async () => {
    const running = start();
    await running.prints(READY);
    process.kill(-running.pid, 'SIGKILL');
    await running.exitCode;
    await expect.poll(() => project.processes()).toEqual([]);
    const next = start();
    await next.prints(READY);
    await pressCtrlC(next);
  });

  it('stops in an orderly way on SIGTERM and SIGHUP to the first process alone, while still starting too', async () => {
    for (const signal of ['SIGTERM', 'SIGHUP'] as const) {
      const running = start();
      await running.prints(signal === 'SIGTERM' ? 'PostgreSQL' : READY);
      running.child.kill(signal);
      expect(await running.exitCode).toBe(0);
      expect(project.processes()).toEqual([]);
    }
  });

  it('names the program that died, shows the end of its log, and starts it again, each time later', async () => {
    const running = start();
    await running.prints(READY);
    for (const pause of ['0.5 s', '1 s']) {
      await fetch(`${demo().webUrl}/die`).catch(() => undefined);
      await running.prints(`The web is started again in ${pause}`);
      expect(running.output()).toMatch(/The web has stopped \(code 3\)\.\n {2}about to die/);
      await expect.poll(async () => fetch(demo().webUrl ?? '').then((answer) => answer.text(), String), POLL).toBe('web');
    }
    expect(project.read('.local/logs/web.log').match(/about to die/g)).toHaveLength(2);
    await pressCtrlC(running);
    expect(project.processes()).toEqual([]);
  });

  it('starts PostgreSQL again when it was killed, at its address and with its data', async () => {
    const running = start();
    await running.prints(READY);
    process.kill(Number(project.read('.local/postgres/data/postmaster.pid').split('\n')[0]), 'SIGKILL');
    await running.prints('PostgreSQL is started again in');
    await running.prints('PostgreSQL runs again');
    await pressCtrlC(running);
    expect(project.processes()).toEqual([]);
  });

  it('ends, with the reason, once a program does not start any more', async () => {
    const running = start();
    await running.prints(READY);
    const server = project.read('apps/web/server.ts');
    project.write('apps/web/server.ts', 'console.log("broken for good"); process.exit(6);');
    await fetch(`${demo().webUrl}/die`).catch(() => undefined);
    expect(await running.exitCode).toBe(1);
    expect(running.output().trimEnd()).toMatch(
      /The web has stopped \(code 6\)\.\n {2}[\s\S]*broken for good\n {2}All of its log: .*$/,
    );
    project.write('apps/web/server.ts', server);
    expect(project.processes()).toEqual([]);
  });

  it('ends what a program that was killed with everything else has left of its own', async () => {
    const worker = project.read('apps/worker/src/main.ts');
    project.write(
      'apps/worker/src/main.ts',
      `import { spawn } from 'node:child_process';
spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000) // ${project.folder}'], { stdio: 'ignore' });
${worker}`,
    );
    const crashed = start();
    await crashed.prints(READY);
    for (const line of project.processes()) {
      if (!line.includes('setInterval')) process.kill(Number(line.split(' ')[0]), 'SIGKILL');
    }
    process.kill(crashed.pid, 'SIGKILL');
    await crashed.exitCode;
    expect(project.processes().filter((line) => line.includes('setInterval'))).toHaveLength(1);
    project.write('apps/worker/src/main.ts', worker);
    const running = start();
    await running.prints(READY);
    expect(project.processes().filter((line) => line.includes('setInterval'))).toEqual([]);
    await pressCtrlC(running);
  });

  it('starts beside all that a crash of everything has left, and keeps the logs of that run', async () => {
    const crashed = start();
    await crashed.prints(READY);
    const log = project.read('.local/logs/worker.log');
    const postmaster = Number(project.read('.local/postgres/data/postmaster.pid').split('\n')[0]);
    // The guard as well: no process is left that would end the rest.
    for (const line of project.processes())
      if (/guard|stack\/main/.test(line)) process.kill(Number(line.split(' ')[0]), 'SIGKILL');
    process.kill(crashed.pid, 'SIGKILL');
    process.kill(postmaster, 'SIGKILL');
    await crashed.exitCode;
    const running = start();
    await running.prints(READY);
    expect(running.output()).toContain('The run before did not stop in order');
    expect(project.read('.local/logs/worker.1.log').startsWith(log)).toBe(true);
    await pressCtrlC(running);
    expect(project.processes()).toEqual([]);
  });

  it('uses the database of DATABASE_URL, made when missing, and starts none of its own', async () => {
    const url = new URL(inject('adminDatabaseUrl'));
    url.pathname = '/start_with_given_database';
    const running = start({ env: { DATABASE_URL: url.href } });
    await running.prints(READY);
    expect(demo().secretKey).toBe('starts:1');
    expect(project.processes().filter((line) => line.includes('postgres'))).toEqual([]);
    await pressCtrlC(running);
  });

  it('refuses a database whose migrations are not the ones here, names the command, and starts anew after it', async () => {
    const first = start();
    await first.prints(READY);
    await pressCtrlC(first);
    const migration = 'prisma/migrations/20260101000000_first/migration.sql';
    const text = project.read(migration);
    project.write(migration, `${text}-- changed\n`);
    const refused = start();
    expect(await refused.exitCode).toBe(1);
    expect(refused.output()).toContain('An older checkout made this database: its migrations are not the ones here.');
    expect(refused.output()).toContain('npm run admin -- database set-aside');
    const kept = await setDatabaseAside(thisProject(join(project.folder, '.local')), undefined, new Date('2026-11-29T12:00:00Z'));
    expect(kept).toEqual({ kind: 'folder', path: join(project.folder, '.local/postgres-2026-11-29') });
    const anew = start();
    await anew.prints(READY);
    expect(demo().secretKey).toBe('starts:1');
    await pressCtrlC(anew);
    // The checkout that made the data runs on it again.
    project.write(migration, text);
    rmSync(join(project.folder, '.local/postgres'), { recursive: true });
    renameSync(join(project.folder, '.local/postgres-2026-11-29'), join(project.folder, '.local/postgres'));
    const back = start();
    await back.prints(READY);
    await pressCtrlC(back);
  });
});

describe('a start that has pages to build', { timeout: LIMIT_MS }, () => {
  it('takes payments first, with web told to await the pages, and says when they are built', async () => {
    const build = project.read('apps/web/build.ts');
    project.write('apps/web/build.ts', `${HELD_BUILD}${build}`);
    const running = start();
    await running.prints(READY);
    expect(running.output()).not.toContain('Pages built');
    expect(running.output()).toContain('opens when its pages are built');
    expect(await (await fetch(`${demo().webUrl}/arguments`)).text()).toBe('--await-pages');
    project.write('apps/web/go', '');
    await running.prints('Pages built');
    await pressCtrlC(running);
    project.write('apps/web/build.ts', build);
  });

  it('ends with the end of the log of a build that fails', async () => {
    const build = project.read('apps/web/build.ts');
    project.write('apps/web/build.ts', 'console.log("no such module"); process.exit(5);');
    expect(await formErrors({})).toMatch(/The pages could not be built \(code \d+\)\.\n {2}no such module/);
    expect(project.processes()).toEqual([]);
    project.write('apps/web/build.ts', build);
  });
});

describe('a start for development', { timeout: LIMIT_MS }, () => {
  it('builds no pages, and starts again what is made of a changed source, and only that', async () => {
    const running = start({ args: ['--dev'] });
    await running.prints(READY);
    expect(running.output()).not.toContain('Pages built');
    project.write('apps/worker/src/task.ts', 'export {};');
    await running.prints('The worker runs again after a change of apps/worker/src/task.ts');
    project.write('packages/db/src/rows.ts', 'export {};');
    await running.prints('The web runs again after a change of packages/db/src/rows.ts');
    expect(running.output()).not.toContain('reporting runs again');
    await pressCtrlC(running);
    expect(project.processes()).toEqual([]);
  });

  it('lets the program finish, and goes on when one does not start until its source is mended', async () => {
    const running = start({ args: ['--dev'] });
    await running.prints(READY);
    const broken = project.read('apps/worker/src/main.ts');
    project.write('apps/worker/src/main.ts', 'console.log("no such thing"); process.exit(4);');
    await running.prints('The worker has stopped (code 4).');
    expect(running.output()).toContain('no such thing');
    expect(await (await fetch(`${demo().webUrl}`)).text()).toBe('web');
    project.write('apps/worker/src/main.ts', broken);
    await running.prints('The worker runs again after a change of apps/worker/src/main.ts');
    expect(project.read('.local/logs/worker.2.log')).toContain('the worker was told to stop');
    await pressCtrlC(running);
  });
});

/** The message of a start that cannot succeed, which is never a stack trace. */
async function formErrors(options: Parameters<ScratchProject['start']>[0]): Promise<string> {
  const running = start(options);
  expect(await running.exitCode).toBe(1);
  expect(running.output()).not.toMatch(/^\s+at /m);
  return running.output();
}

describe('a start that cannot succeed', { timeout: LIMIT_MS }, () => {
  it('names the port that is taken, who has it, and how to choose another', async () => {
    const server = createServer().listen(0);
    await new Promise((done) => server.once('listening', done));
    const address = server.address();
    const port = address !== null && typeof address === 'object' ? address.port : 0;
    const said = await formErrors({ env: { PORT: String(port) } });
    expect(said).toContain(`Port ${port} is taken by`);
    expect(said).toContain(`process ${process.pid}`);
    expect(said).toMatch(/PORT=\d+ npm start/);
    expect(await formErrors({ env: { SANDBOX_PORT: String(port) } })).toMatch(/the sandbox: {2}SANDBOX_PORT=\d+ npm start/);
    server.close();
  });

  it('reports an invalid PORT', async () => {
    expect(await formErrors({ env: { PORT: 'abc' } })).toContain('PORT is "abc", which is no port.');
  });

  it('gives the address of a start that is still running from the same folder', async () => {
    const running = start();
    await running.prints(READY);
    const said = await formErrors({});
    expect(said).toContain('already running from this folder');
    expect(said).toContain(demo().webUrl);
    await pressCtrlC(running);
  });

  it('names the database that does not answer', async () => {
    const said = await formErrors({ env: { DATABASE_URL: 'postgresql://me:secret@127.0.0.1:1/db' } });
    expect(said).toContain('PostgreSQL at 127.0.0.1:1 does not answer (ECONNREFUSED).');
    expect(said).not.toContain('secret');
  });

  it('names the folder without write access', async () => {
    const isRoot = process.getuid?.() === 0;
    const local = join(project.folder, '.local');
    if (!isRoot) chmodSync(local, 0o555);
    const said = await formErrors(isRoot ? { uid: NOBODY } : {});
    chmodSync(local, 0o755);
    expect(said).toMatch(/No write access: .*\.local/);
  });

  it('stops over damaged secrets instead of making new ones', async () => {
    const kept = project.read('.local/secrets.json');
    project.write('.local/secrets.json', '{"half":');
    expect(await formErrors({})).toContain('secrets.json cannot be read');
    project.write('.local/secrets.json', kept);
  });
});
