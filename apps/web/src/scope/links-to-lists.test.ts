import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { filterParsers as auditParsers, entryParser } from '#/app/(admin)/audit/filters.ts';
import { filterParsers as disputeParsers } from '#/app/(admin)/disputes/filters.ts';
import { panelParser as feePanel, filterParsers as feeParsers } from '#/app/(admin)/fees/filters.ts';
import { doingParser, panelParser as paymentPanel, filterParsers as paymentParsers } from '#/app/(admin)/payments/filters.ts';
import {
  panelParser as reconciliationPanel,
  filterParsers as reconciliationParsers,
} from '#/app/(admin)/reconciliation/filters.ts';
import { moneyParsers } from '#/app/(admin)/refunds/filters.ts';
import { panelParser as settlementPanel, filterParsers as settlementParsers } from '#/app/(admin)/settlements/filters.ts';

/* A link that names a filter which its page does not read shows everything, and looks as if it showed what it says. */

/** Parameters that the page of each list reads from its address. */
const PAGES: Readonly<Record<string, object>> = {
  '/payments': { ...paymentParsers, ...paymentPanel, ...doingParser },
  '/refunds': moneyParsers,
  '/reconciliation': { ...reconciliationParsers, ...reconciliationPanel },
  '/disputes': disputeParsers,
  '/settlements': { ...settlementParsers, ...settlementPanel },
  '/fees': { ...feeParsers, ...feePanel },
  '/audit': { ...auditParsers, ...entryParser },
};

const LINK = /hrefIn\(\s*[^,]+,\s*'(\/[a-z-]+)',\s*\{([^}]*)\}/g;

/** Names of an object as it is written: `status`, `gateway: name || 'NONE'`. What is spread into it is left out. */
const namesIn = (written: string) =>
  written.split(',').flatMap((part) => {
    const [, name] = /^\s*([a-z]\w*)\s*(?::|$)/i.exec(part) ?? [];
    return name === undefined ? [] : [name];
  });

test('links to lists name filters that the page of the list reads', () => {
  const root = join(import.meta.dirname, '..');
  const files = globSync('**/*.{ts,tsx}', { cwd: root }).filter((file) => !file.includes('.test.'));
  const links = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(LINK)].map(([, path = '', written = '']) => ({ file, path, written })),
  );
  const toLists = links.filter(({ path }) => Object.hasOwn(PAGES, path));
  expect(toLists.length).toBeGreaterThan(20);
  const unread = toLists.flatMap(({ file, path, written }) =>
    namesIn(written).flatMap((name) => (Object.hasOwn(PAGES[path] ?? {}, name) ? [] : [`${file} links to ${path} with ${name}`])),
  );
  expect(unread).toEqual([]);
});
