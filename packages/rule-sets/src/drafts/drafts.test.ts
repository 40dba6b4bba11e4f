import { connectTestAccount, testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { DOCUMENT_MAX_CHARS } from '../document/check-document.ts';
import { aDocument, cardRule, rulesOf } from '../testing/rules.ts';
import { publishDraft } from '../versions/publish.ts';
import { createDraft, DRAFTS_MAX } from './create-draft.ts';
import { discardDraft, findDraft, listDrafts, saveDraft } from './drafts.ts';

const ada = 'staff:ada';
const bola = 'staff:bola';
let context: TestContext;
let merchantId: string;
let accountId: string;
let rules: ReturnType<typeof rulesOf>;

beforeAll(async () => {
  context = await openTestContext();
});
afterAll(async () => context.close());
beforeEach(async () => {
  merchantId = await testMerchant(context);
  accountId = await connectTestAccount(context, merchantId);
  rules = rulesOf(context, merchantId);
});

const one = () => aDocument(accountId, cardRule(accountId));
const two = () => aDocument(accountId, cardRule(accountId, 9_000));

describe('a draft begins', () => {
  test('empty, for a merchant without rules, and records that there were none', async () => {
    for (const from of [{ kind: 'empty' }, { kind: 'published' }] as const) {
      expect(await rules.begin(from)).toMatchObject({
        state: 'DRAFT',
        revision: 1,
        baseVersion: 0,
        document: { version: 0, rules: [], defaultOrder: [] },
        createdBy: ada,
        savedBy: ada,
        editors: [ada],
        approval: { state: 'none' },
      });
    }
  });

  test('as a copy of the version in force or of an old one, to be published over the one in force', async () => {
    await rules.publish(one(), 0);
    await rules.publish(two(), 1);
    expect(await rules.begin()).toMatchObject({ baseVersion: 2, restoredVersion: null, document: { ...two(), version: 0 } });
    expect(await rules.begin({ kind: 'version', version: 1 })).toMatchObject({
      baseVersion: 2,
      restoredVersion: 1,
      document: { ...one(), version: 0 },
    });
    const command = { ...rules.scope, from: { kind: 'version', version: 7 }, name: null, actor: ada } as const;
    expect(await createDraft(context, command)).toEqual({ kind: 'unknown_version' });
  });

  test("of another mode's or merchant's version is not made", async () => {
    await rules.publish(one(), 0);
    const from = { kind: 'version', version: 1 } as const;
    const live = { ...rules.scope, mode: 'live', from, name: null, actor: ada } as const;
    expect(await createDraft(context, live)).toEqual({ kind: 'unknown_version' });
    const stranger = { ...live, mode: 'test', merchantId: await testMerchant(context) } as const;
    expect(await createDraft(context, stranger)).toEqual({ kind: 'unknown_version' });
    expect(await createDraft(context, { ...live, merchantId: 'nobody' })).toEqual({ kind: 'not_found' });
  });

  test('up to a number of open ones; discarded ones do not count', async () => {
    const drafts = [];
    for (let made = 0; made < DRAFTS_MAX; made++) drafts.push(await rules.begin());
    const command = { ...rules.scope, from: { kind: 'empty' }, name: 'one more', actor: ada } as const;
    expect(await createDraft(context, command)).toEqual({ kind: 'too_many_drafts', limit: DRAFTS_MAX });
    const [draft] = drafts;
    if (draft) await discardDraft(context, { ...draft, actor: ada });
    expect(await createDraft(context, command)).toMatchObject({ kind: 'created', draft: { name: 'one more' } });
  }, 60_000);

  test.each([' ', 'a'.repeat(121), 'a\u0000'])('not with %j for a name', async (name) => {
    const command = { ...rules.scope, from: { kind: 'empty' }, name, actor: ada } as const;
    expect(await createDraft(context, command)).toMatchObject({
      kind: 'invalid',
      problems: [{ field: 'name' }],
    });
  });
});

describe('saving', () => {
  test('stores the document as written, also one that is not valid yet', async () => {
    const document = { rules: [{ ruleId: 'half' }], note: 'to do' };
    const saved = await rules.save(await rules.begin(), document, bola);
    expect(saved).toMatchObject({ revision: 2, savedBy: bola, createdBy: ada, editors: [ada, bola] });
    expect((await findDraft(context, saved))?.document).toEqual({ ...document, version: 0 });
  });

  test('on a stale revision is refused, and overwrites nothing', async () => {
    const draft = await rules.begin();
    await rules.save(draft, one(), bola);
    const stale = await saveDraft(context, { ...draft, document: two(), actor: ada });
    expect(stale).toMatchObject({
      kind: 'stale',
      draft: { revision: 2, savedBy: bola, document: { ...one(), version: 0 } },
    });
    expect((await findDraft(context, draft))?.document).toEqual({ ...one(), version: 0 });
  });

  test('by many at once from one revision succeeds for exactly one; the others get its draft', async () => {
    const draft = await rules.begin();
    const people = Array.from({ length: 8 }, (_, at) => `staff:${at}`);
    const outcomes = await Promise.all(
      people.map((actor, at) =>
        saveDraft(context, { ...draft, document: aDocument(accountId, cardRule(accountId, at + 1)), actor }),
      ),
    );
    const winner = outcomes.find((outcome) => outcome.kind === 'saved');
    expect(outcomes.filter(({ kind }) => kind === 'stale')).toHaveLength(7);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ draft: { revision: 2, savedBy: winner?.kind === 'saved' && winner.draft.savedBy } });
    }
  });

  test('takes the base to the version in force, and to no other', async () => {
    const draft = await rules.begin();
    await rules.publish(one(), 0);
    await rules.publish(two(), 1);
    const saving = { ...draft, document: one(), actor: ada };
    const refused = { kind: 'invalid', problems: [{ field: 'baseVersion' }] };
    expect(await saveDraft(context, { ...saving, baseVersion: 1 })).toMatchObject(refused);
    expect(await saveDraft(context, { ...saving, baseVersion: 3 })).toMatchObject(refused);
    expect(await saveDraft(context, { ...saving, baseVersion: 2 })).toMatchObject({ kind: 'saved', draft: { baseVersion: 2 } });
  });

  test('changes the name when one is given', async () => {
    const draft = await rules.begin();
    const named = await saveDraft(context, { ...draft, document: {}, name: ' Black Friday ', actor: ada });
    expect(named).toMatchObject({ kind: 'saved', draft: { name: 'Black Friday' } });
    const { name, ...unnamed } = draft;
    const again = await saveDraft(context, { ...unnamed, revision: 2, document: {}, actor: ada });
    expect(again).toMatchObject({ kind: 'saved', draft: { name: 'Black Friday' } });
  });

  test.each([
    ['no object', []],
    ['text', 'rules'],
    ['nothing', null],
    ['too much', { rules: 'x'.repeat(DOCUMENT_MAX_CHARS) }],
    ['something bottomless', JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`)],
  ])('%s is refused', async (_what, document) => {
    const draft = await rules.begin();
    const outcome = await saveDraft(context, { ...draft, document, actor: ada });
    expect(outcome).toMatchObject({ kind: 'invalid', problems: [{ field: 'document' }] });
  });

  test('keeps what JSON can express but PostgreSQL text cannot', async () => {
    const document = { rules: [], defaultOrder: ['\u0000', '\ud800'] };
    const saved = await rules.save(await rules.begin(), document);
    expect((await findDraft(context, saved))?.document).toEqual({ ...document, version: 0 });
  });
});

describe('a draft', () => {
  test('that was published or discarded is no longer a draft', async () => {
    const published = await rules.draft(one());
    await publishDraft(context, { ...published, at: null, reason: null, actor: ada });
    const discarded = await rules.begin();
    expect(await discardDraft(context, { ...discarded, actor: ada })).toEqual({ kind: 'discarded' });
    for (const [draft, state] of [
      [published, 'PUBLISHED'],
      [discarded, 'DISCARDED'],
    ] as const) {
      const refused = { kind: 'not_a_draft', state };
      expect(await saveDraft(context, { ...draft, document: two(), actor: ada })).toEqual(refused);
      expect(await discardDraft(context, { ...draft, actor: ada })).toEqual(refused);
      expect(await publishDraft(context, { ...draft, at: null, reason: null, actor: ada })).toEqual(refused);
    }
  });

  test('that was saved meanwhile is not discarded', async () => {
    const draft = await rules.begin();
    const saved = await rules.save(draft, one(), bola);
    expect(await discardDraft(context, { ...draft, actor: ada })).toMatchObject({ kind: 'stale', draft: { savedBy: bola } });
    expect(await listDrafts(context, rules.scope)).toMatchObject([{ draftId: saved.draftId, revision: 2 }]);
  });

  test('is listed with the others of its mode, last changed first, until it is discarded', async () => {
    const first = await rules.begin();
    const second = await rules.begin();
    await rulesOf(context, merchantId, 'live').begin();
    await rules.save(first, one());
    const listed = await listDrafts(context, rules.scope);
    expect(listed.map(({ draftId }) => draftId)).toEqual([first.draftId, second.draftId]);
    expect(listed[0]).not.toHaveProperty('document');
    await discardDraft(context, { ...second, actor: ada });
    expect(await listDrafts(context, rules.scope)).toHaveLength(1);
  });

  test('of another merchant is not found', async () => {
    const { draftId } = await rules.begin();
    const stranger = { merchantId: await testMerchant(context), draftId, revision: 1 };
    expect(await findDraft(context, stranger)).toBeNull();
    expect(await findDraft(context, { merchantId, draftId: 'x' })).toBeNull();
    expect(await saveDraft(context, { ...stranger, document: {}, actor: ada })).toEqual({ kind: 'not_found' });
    expect(await discardDraft(context, { ...stranger, actor: ada })).toEqual({ kind: 'not_found' });
    expect(await publishDraft(context, { ...stranger, at: null, reason: null, actor: ada })).toEqual({ kind: 'not_found' });
  });
});
