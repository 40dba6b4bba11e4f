import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { thisProject } from '../stack/project.ts';
import { unpackedBrowser } from './browser.ts';

/** As much of Playwright as is used here; it belongs to the journeys' workspace. */
interface Playwright {
  chromium: {
    launch(options: { executablePath: string; args: string[] }): Promise<{
      newPage(): Promise<{ goto(url: string): Promise<unknown>; title(): Promise<string> }>;
      close(): Promise<void>;
    }>;
  };
}

const PAGE = 'data:text/html,<h1>Text</h1><script>document.title = 6 * 7</script>';

it.runIf(process.platform === 'linux' && process.arch === 'x64')(
  'the Chromium among the packages unpacks and renders a page, so that a bare machine needs no other',
  async () => {
    const project = thisProject();
    const { chromium }: Playwright = createRequire(join(project.root, 'e2e', 'package.json'))('@playwright/test');
    const browser = await chromium.launch({
      executablePath: (await unpackedBrowser(project)) ?? '',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const page = await browser.newPage();
      await page.goto(PAGE);
      expect(await page.title()).toBe('42');
    } finally {
      await browser.close();
    }
  },
);
