import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { shownToasts } from '#/components/toasts/toast-store.ts';
import { type RenderedHook, renderHook } from '#/testing/hook-page.ts';
import { openServer } from '#/testing/server.tsx';
import { openWindow } from '#/testing/window.ts';
import type { RuleDocument } from '../rules/document.ts';
import { type EditedDraft, type RuleDraft, useDraft } from './use-draft.ts';

const MERCHANT = 'a1d0f7a2-0000-7000-8000-000000000001';
const SAVE_AFTER_MS = 500;
const POLL_MS = 8_000;

const window = openWindow();
afterAll(() => vi.unstubAllGlobals());

const documentOf = (...defaultOrder: string[]): RuleDocument => ({ rules: [], defaultOrder });
const saveInput = z.object({ revision: z.number(), document: z.unknown(), name: z.string().nullable().optional() });

/** The stored draft, and the server that keeps it: a save on another revision than the present one changes nothing. */
let stored: RuleDraft;
let server: ReturnType<typeof openServer>;
let page: RenderedHook<EditedDraft, undefined>;

function storeAs(savedBy: string, changes: Partial<RuleDraft>): RuleDraft {
  stored = { ...stored, ...changes, savedBy, revision: stored.revision + 1 };
  return stored;
}

async function open({ mayWrite = true } = {}): Promise<void> {
  const initial = stored;
  page = await renderHook(() => useDraft(initial, documentOf('p'), mayWrite), { props: undefined, wrapper: server.wrapper });
}

const wait = (ms: number) => page.act(() => vi.advanceTimersByTimeAsync(ms));
const order = (...accounts: string[]) => page.act(() => page.result.current.change(documentOf(...accounts), 'Moving an account'));
const saved = () => page.result.current.saved;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  stored = {
    draftId: 'a1d0f7a2-0000-7000-8000-000000000002',
    merchantId: MERCHANT,
    mode: 'test',
    name: null,
    state: 'DRAFT',
    revision: 1,
    baseVersion: 1,
    restoredVersion: null,
    createdBy: 'staff:me',
    createdAt: new Date(0),
    savedBy: 'staff:me',
    editors: [],
    approval: { state: 'none' },
    publishAt: null,
    scheduledBy: null,
    scheduleRefusal: null,
    updatedAt: new Date(0),
    document: documentOf('p'),
  };
  server = openServer(`?mode=test&merchant=${MERCHANT}`);
  server.on('routing.access', () => ({
    people: [{ staffId: 'ada', name: 'Ada' }],
    needsApproval: false,
    approvers: [],
  }));
  server.on('routing.drafts.byId', () => stored);
  server.on('routing.drafts.save', (input) => {
    const { revision, document, name = stored.name } = saveInput.parse(input);
    if (revision !== stored.revision) return { kind: 'stale', draft: stored };
    return { kind: 'saved', draft: storeAs('staff:me', { document, name }) };
  });
});

afterEach(async () => {
  await page.unmount();
  server.close();
  vi.useRealTimers();
});

describe('a draft that is written', () => {
  test('is stored once after the last of several changes, and shows as saved', async () => {
    await open();
    await order('f', 'p');
    await order('m', 'p');
    expect([saved(), server.calls('routing.drafts.save')]).toEqual([{ kind: 'waiting' }, []]);
    await wait(SAVE_AFTER_MS);
    expect(saved()).toEqual({ kind: 'saved' });
    expect(server.calls('routing.drafts.save')).toMatchObject([{ revision: 1, document: documentOf('m', 'p') }]);
    expect(page.result.current.draft.revision).toBe(2);
  });

  test('steps back and forward, and stores where it stands', async () => {
    await open();
    await order('f');
    await page.act(() => page.result.current.step('undo'));
    expect(page.result.current).toMatchObject({ document: documentOf('p'), undo: null, redo: { did: 'Moving an account' } });
    await page.act(() => page.result.current.step('redo'));
    await wait(SAVE_AFTER_MS);
    expect([page.result.current.document, stored.document]).toEqual([documentOf('f'), documentOf('f')]);
  });

  test('is never stored by a person who may only read it', async () => {
    await open({ mayWrite: false });
    await order('f');
    await wait(SAVE_AFTER_MS);
    expect([page.result.current.document, server.calls('routing.drafts.save')]).toEqual([documentOf('f'), []]);
  });

  test('is stored at once when its page is left', async () => {
    await open();
    await order('f');
    await page.unmount();
    await vi.advanceTimersByTimeAsync(0);
    expect(stored.document).toEqual(documentOf('f'));
  });

  test('warns before the window closes exactly while something is not stored', async () => {
    await open();
    const isWarned = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(isWarned()).toBe(false);
    await order('f');
    expect(isWarned()).toBe(true);
    await wait(SAVE_AFTER_MS);
    expect(isWarned()).toBe(false);
  });

  test('stays on the screen when the server fails, and is stored with the next change', async () => {
    await open();
    let isDown = true;
    server.on('routing.drafts.save', (input) => {
      if (isDown) throw new Error('The database is unavailable.');
      return { kind: 'saved', draft: storeAs('staff:me', { document: saveInput.parse(input).document }) };
    });
    await order('f');
    await wait(SAVE_AFTER_MS);
    expect(saved()).toEqual({ kind: 'failed', message: 'The database is unavailable.' });
    expect(page.result.current.document).toEqual(documentOf('f'));
    isDown = false;
    await page.act(async () => expect(await page.result.current.flush()).toBe(true));
    expect([saved(), stored.document]).toEqual([{ kind: 'saved' }, documentOf('f')]);
  });

  test.each([
    { kind: 'not_a_draft', state: 'PUBLISHED', message: 'Another person has published this draft.' },
    { kind: 'not_a_draft', state: 'DISCARDED', message: 'Another person has discarded this draft.' },
    { kind: 'not_found', message: 'The draft no longer exists. Copy what you need before you leave.' },
  ])('names the reason when it cannot be stored any more: $kind $state', async ({ message, ...outcome }) => {
    await open();
    server.on('routing.drafts.save', () => outcome);
    await order('f');
    await wait(SAVE_AFTER_MS);
    expect(saved()).toEqual({ kind: 'failed', message });
  });

  test('takes another name together with what was not stored yet', async () => {
    await open();
    await order('f');
    await page.act(() => page.result.current.rename('  Ramadan '));
    expect(stored).toMatchObject({ name: 'Ramadan', document: documentOf('f'), revision: 3 });
    await page.act(() => page.result.current.rename(' '));
    expect(stored).toMatchObject({ name: null, document: documentOf('f') });
  });
});

describe('a draft that is renamed while it is written', () => {
  /** Lets saves wait, in the order in which they come, until each is released. */
  function holdSaves() {
    const held: (() => void)[] = [];
    server.on('routing.drafts.save', async (input) => {
      await new Promise<void>((release) => held.push(release));
      const { revision, document, name = stored.name } = saveInput.parse(input);
      if (revision !== stored.revision) return { kind: 'stale', draft: stored };
      return { kind: 'saved', draft: storeAs('staff:me', { document, name }) };
    });
    return {
      held,
      release: () =>
        page.act(async () => {
          await vi.waitUntil(() => held.length > 0);
          held.shift()?.();
          await vi.advanceTimersByTimeAsync(0);
        }),
    };
  }

  test('stores a change that is due meanwhile after the name, on the revision of that', async () => {
    await open();
    const { held, release } = holdSaves();
    let renamed: Promise<void> | undefined;
    await page.act(() => {
      renamed = page.result.current.rename('Ramadan');
    });
    await page.act(() => vi.waitUntil(() => held.length === 1));
    await order('f');
    await wait(2 * SAVE_AFTER_MS);
    expect([held.length, saved()]).toEqual([1, { kind: 'waiting' }]);
    await release();
    await renamed;
    await release();
    expect(page.result.current).toMatchObject({ saved: { kind: 'saved' }, conflict: null, document: documentOf('f') });
    expect(stored).toMatchObject({ name: 'Ramadan', document: documentOf('f'), revision: 3 });
  });

  test('takes the name after a change that is being stored, and the last of two names', async () => {
    await open();
    const { held, release } = holdSaves();
    await order('f');
    await wait(SAVE_AFTER_MS);
    expect(held).toHaveLength(1);
    let renamed: Promise<unknown> | undefined;
    await page.act(() => {
      const { rename } = page.result.current;
      renamed = Promise.all([rename('Ramadan'), rename('Eid')]);
    });
    for (let saves = 0; saves < 3; saves += 1) await release();
    await renamed;
    expect(page.result.current).toMatchObject({ saved: { kind: 'saved' }, conflict: null });
    expect(stored).toMatchObject({ name: 'Eid', document: documentOf('f'), revision: 4 });
  });
});

test('what is done with a draft right after it was stored names the revision that was stored', async () => {
  await open();
  await order('f');
  const { flush, storedRevision, draft } = page.result.current;
  await page.act(async () => expect(await flush()).toBe(true));
  expect([draft.revision, storedRevision()]).toEqual([1, stored.revision]);
});

describe('a draft that two people write', () => {
  test('says that a name was not taken because another person saved first, and shows what they saved', async () => {
    await open();
    storeAs('staff:ada', { document: documentOf('f') });
    await page.act(() => expect(page.result.current.rename('Ramadan')).rejects.toThrow('Another person saved this draft'));
    await wait(1);
    expect([stored.name, page.result.current.document]).toEqual([null, documentOf('f')]);
    await page.act(() => page.result.current.rename('Ramadan'));
    expect(stored).toMatchObject({ name: 'Ramadan', document: documentOf('f') });
  });

  test('shows what another person saved, with a message, and keeps the state before for undo', async () => {
    await open();
    storeAs('staff:ada', { document: documentOf('f') });
    await wait(POLL_MS);
    expect(page.result.current.document).toEqual(documentOf('f'));
    expect(shownToasts().at(-1)?.text).toBe('Ada has just changed this draft. The page shows the latest.');
    await page.act(() => page.result.current.step('undo'));
    expect(page.result.current.document).toEqual(documentOf('p'));
  });

  test('ends in a conflict that shows both and overwrites nothing', async () => {
    await open();
    const theirs = storeAs('staff:ada', { document: documentOf('f') });
    await order('m');
    await wait(SAVE_AFTER_MS);
    expect(page.result.current.conflict).toEqual({ mine: documentOf('m'), theirs });
    await order('m', 'f');
    await wait(SAVE_AFTER_MS);
    expect([saved(), stored]).toEqual([{ kind: 'conflict' }, theirs]);
    expect(page.result.current.conflict?.mine).toEqual(documentOf('m', 'f'));
  });

  test('continues from the other version once it is adopted', async () => {
    await open();
    const theirs = storeAs('staff:ada', { document: documentOf('f') });
    await order('m');
    await wait(SAVE_AFTER_MS);
    await page.act(() => page.result.current.adopt(theirs));
    expect(page.result.current).toMatchObject({ document: documentOf('f'), conflict: null, saved: { kind: 'saved' } });
    await order('f', 'm');
    await wait(SAVE_AFTER_MS);
    expect(stored).toMatchObject({ revision: theirs.revision + 1, document: documentOf('f', 'm') });
  });

  test('is not replaced while own changes are unsaved', async () => {
    await open();
    server.on('routing.drafts.save', () => {
      throw new Error('No network.');
    });
    await order('m');
    await wait(SAVE_AFTER_MS);
    storeAs('staff:ada', { document: documentOf('f') });
    await wait(POLL_MS);
    expect(page.result.current.document).toEqual(documentOf('m'));
  });
});
