import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { openHookPage } from '#/testing/hook-page.ts';
import { useExport } from './use-create-draft.ts';

const page = openHookPage('?mode=test&merchant=m-1');
const files: { readonly name: string; readonly text: Promise<string> }[] = [];

beforeEach(() => {
  files.length = 0;
  const blobs = new Map<string, Blob>();
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    const url = `blob:${blobs.size}`;
    if (blob instanceof Blob) blobs.set(url, blob);
    return url;
  });
  vi.spyOn(page.window.document, 'createElement').mockImplementation((tag) => {
    const link = Object.assign(page.window.document.emptyElement(tag), { href: '', download: '', click: () => undefined });
    link.click = () => void files.push({ name: link.download, text: blobs.get(link.href)?.text() ?? Promise.resolve('') });
    return link;
  });
  page.server().on('merchants.list', () => [{ merchantId: 'm-1', name: 'Yaba Gadget Hub' }]);
});
afterEach(() => vi.restoreAllMocks());

test('the rules are saved as a file named after merchant, mode and content', async () => {
  page.server().on('routing.versions.export', () => ({ kind: 'exported', text: '{"rules":[]}' }));
  const { result, act } = await page.render(useExport);
  await act(() => result.current.save({ kind: 'version', version: 3 }, 'version 3'));
  expect(files.map(({ name }) => name)).toEqual(['yaba-gadget-hub-rules-test-version-3.json']);
  expect(await files[0]?.text).toBe('{"rules":[]}');
  expect(result.current.busy).toBe(false);
});

test('each export is read again: the rules may have changed since', async () => {
  page.server().on('routing.versions.export', () => ({ kind: 'exported', text: '{}' }));
  const { result, act } = await page.render(useExport);
  await act(() => result.current.save({ kind: 'published' }, 'live'));
  await act(() => result.current.save({ kind: 'published' }, 'live'));
  expect(page.server().calls('routing.versions.export')).toHaveLength(2);
});

test.each([
  [{ kind: 'not_found' }, 'There is nothing published to export yet.'],
  [
    { kind: 'invalid', problems: [{ field: 'rules.0.then.accounts.0', message: 'names account x, which is gone' }] },
    'These rules cannot be exported: rules.0.then.accounts.0 names account x, which is gone.',
  ],
])('rules that cannot be exported save no file and name the reason: %j', async (outcome, text) => {
  page.server().on('routing.versions.export', () => outcome);
  const { result, act } = await page.render(useExport);
  await act(() => result.current.save({ kind: 'published' }, 'live'));
  expect(shownToasts().at(-1)).toMatchObject({ text, tone: 'bad' });
  expect([files, result.current.busy]).toEqual([[], false]);
});
