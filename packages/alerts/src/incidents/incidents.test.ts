import { NIL_ID } from '@switchyard/db';
import { testMerchant } from '@switchyard/merchants/testing';
import { openTestContext, type TestContext, testStaff } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ageOutAlerts } from '../retention/age-out-alerts.ts';
import { addIncidentNote, readIncidentWriting, writePostMortem } from './incidents.ts';

const AT = new Date('2026-11-20T14:00:00Z');

let context: TestContext;
let actor: string;
let key: { readonly merchantId: string; readonly incidentId: string };

beforeAll(async () => {
  context = await openTestContext();
  actor = `staff:${await testStaff(context)}`;
});
afterAll(() => context.close());
beforeEach(async () => {
  key = await record(await testMerchant(context));
});

async function record(merchantId: string) {
  const incidentId = context.newId();
  const times = { since: AT, openedAt: AT, closedAt: AT, updatedAt: AT };
  const of = { kind: 'refund_stuck', severity: 'warning', mode: 'live', subject: '' } as const;
  await context.database.prisma.incident.create({
    data: { merchantId, id: incidentId, ...of, facts: {}, closedReason: 'ended', ...times },
  });
  return { merchantId, incidentId };
}

const audited = (incidentId: string) =>
  context.database.prisma.auditEntry.findMany({ where: { objectId: incidentId }, orderBy: { position: 'asc' } });

describe('notes', () => {
  test('are listed in the order in which they were written, with their authors, and audited', async () => {
    for (const text of ['First', 'Second']) await addIncidentNote(context, { ...key, text, actor });
    const { notes, postMortem } = await readIncidentWriting(context, key);
    expect(notes.map(({ text, authorName }) => [text, authorName])).toEqual([
      ['First', 'Ada'],
      ['Second', 'Ada'],
    ]);
    expect(postMortem).toBeNull();
    expect((await audited(key.incidentId)).map(({ action, after }) => [action, Object(after).noteId])).toEqual(
      notes.map(({ noteId }) => ['incident.noted', noteId]),
    );
  });

  test('are of one incident, and of none that there is not', async () => {
    await addIncidentNote(context, { ...key, text: 'Ours', actor });
    const other = await record(NIL_ID);
    expect((await readIncidentWriting(context, other)).notes).toEqual([]);
    for (const wrong of [
      { ...key, merchantId: NIL_ID },
      { ...key, incidentId: context.newId() },
      { ...key, incidentId: 'x' },
    ]) {
      expect(await addIncidentNote(context, { ...wrong, text: 'Lost', actor })).toEqual({ kind: 'not_found' });
    }
  });

  test('go with their incident when it ages out, with its post-mortem', async () => {
    await addIncidentNote(context, { ...key, text: 'Ours', actor });
    await writePostMortem(context, { ...key, text: 'Why', revision: 0, actor });
    await ageOutAlerts(context.database, key.merchantId, new Date(AT.getTime() + 1), 10);
    expect(await readIncidentWriting(context, key)).toEqual({ notes: [], postMortem: null });
  });
});

describe('a post-mortem', () => {
  test('is changed from the revision that was read, and what it said before is in the audit log', async () => {
    expect(await writePostMortem(context, { ...key, text: 'First', revision: 0, actor })).toEqual({
      kind: 'written',
      revision: 1,
    });
    expect(await writePostMortem(context, { ...key, text: 'Second', revision: 1, actor })).toEqual({
      kind: 'written',
      revision: 2,
    });
    expect(await writePostMortem(context, { ...key, text: 'Late', revision: 1, actor })).toEqual({ kind: 'changed_meanwhile' });
    expect((await readIncidentWriting(context, key)).postMortem).toMatchObject({
      text: 'Second',
      revision: 2,
      updatedByName: 'Ada',
    });
    expect((await audited(key.incidentId)).map(({ action, before, after }) => [action, before, after])).toEqual([
      ['incident.post_mortem_changed', null, { text: 'First' }],
      ['incident.post_mortem_changed', { text: 'First' }, { text: 'Second' }],
    ]);
  });

  test('of two people who write the first one at once is that of one', async () => {
    const outcomes = await Promise.all(['A', 'B'].map((text) => writePostMortem(context, { ...key, text, revision: 0, actor })));
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['changed_meanwhile', 'written']);
  });

  test('of an incident that there is not is none', async () => {
    const wrong = { ...key, incidentId: context.newId() };
    expect(await writePostMortem(context, { ...wrong, text: 'Lost', revision: 0, actor })).toEqual({ kind: 'not_found' });
  });
});
