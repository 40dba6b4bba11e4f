import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runOnTerminal } from '../stack/programs.ts';
import { thisProject } from '../stack/project.ts';
import { FAILED, readPlaywrightReport, readVitestReport, slowest } from './runner-reports.ts';

const project = thisProject();
const folder = join(project.local, `runner-reports-test-${process.pid}`);
const file = join(folder, 'report.json');

async function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<number> {
  rmSync(file, { force: true });
  return runOnTerminal({ command, args, cwd: folder, env: { ...process.env, ...env } });
}

const LEFT_OUT = 'skip';
const suiteOf = (library: string) => `
  import { expect, test } from '${library}';
  test('adds', () => expect(1 + 1).toBe(2));
  test('subtracts', () => expect(3 - 1, 'three less one').toBe(1));
  test.${LEFT_OUT}('divides', () => undefined);
`;

beforeAll(() => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'sums.test.ts'), suiteOf('vitest'));
  writeFileSync(join(folder, 'broken.test.ts'), `import './nowhere.ts';`);
  writeFileSync(join(folder, 'sums.spec.ts'), suiteOf('@playwright/test'));
  writeFileSync(join(folder, 'vitest.config.ts'), `export default { test: { include: ['*.test.ts'] } };`);
  writeFileSync(join(folder, 'playwright.config.ts'), `export default { testMatch: '*.spec.ts', outputDir: 'results' };`);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('what a runner reports', () => {
  test('vitest: counts, and each failed test by file, name and reason', async () => {
    const code = await run('vitest', ['run', '--reporter=json', `--outputFile.json=${file}`, 'sums']);
    const { failures, suites, ...counts } = readVitestReport(file, code);
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
    expect(suites).toEqual([{ file: relative(project.root, join(folder, 'sums.test.ts')), seconds: expect.any(Number) }]);
    expect(failures.map(({ name }) => name)).toEqual([`${join(folder, 'sums.test.ts')} › subtracts`]);
    expect(failures[0]?.reason).toContain('three less one: expected 2 to be 1');
  });

  test('vitest: a file that cannot be loaded is a failure with a name', async () => {
    const code = await run('vitest', ['run', '--reporter=json', `--outputFile.json=${file}`, 'broken']);
    const { failed, failures } = readVitestReport(file, code);
    expect(failed).toBe(1);
    expect(failures).toEqual([{ name: join(folder, 'broken.test.ts'), reason: expect.stringContaining('./nowhere.ts') }]);
  });

  test('Playwright: counts, and each failed test by file, name and reason', async () => {
    const code = await run('playwright', ['test', '--reporter=json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
    const { failures, suites, ...counts } = readPlaywrightReport(file, code);
    expect(counts).toEqual({ passed: 1, failed: 1, skipped: 1 });
    expect(suites).toEqual([{ file: relative(project.root, join(folder, 'sums.spec.ts')), seconds: expect.any(Number) }]);
    expect(failures.map(({ name }) => name)).toEqual(['sums.spec.ts › subtracts']);
    expect(failures[0]?.reason).toContain('three less one');
  });

  test('the slowest suites first, and no more of them than asked for', () => {
    const suites = [1.5, 20.25, 3].map((seconds) => ({ file: `${seconds}.test.ts`, seconds }));
    expect(slowest(suites, 2)).toEqual(['   20.3 s  20.25.test.ts', '    3.0 s  3.test.ts']);
  });

  test('a run without a report counts as failed, for any exit code', () => {
    expect(readVitestReport(join(folder, 'none.json'), 0)).toEqual(FAILED);
    expect(readPlaywrightReport(join(folder, 'none.json'), 0)).toEqual(FAILED);
  });
});
