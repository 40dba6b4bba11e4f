import { openTestPayments, type TestPayments } from '@switchyard/payments/testing';
import { testStaff } from '@switchyard/runtime/testing';
import { grantRole } from '@switchyard/staff/grants';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { NO_MAPPING } from '../journal/mapping.ts';
import { changeAccountingSetting, readAccountingSetting } from '../journal/settings.ts';
import { createBooks, recordPaid, type TestBooks } from '../testing/books.ts';
import { closeMonth } from './close-month.ts';
import { readFrozen, reviewMonth, signMonth } from './month-close.ts';
import { listReviewWaivers, readReviewRule, requireReview } from './review-rule.ts';

const START = new Date('2026-11-02T08:00:00Z');
const MONTH = '2026-10';
const HOUR_MS = 3_600_000;

let context: TestPayments;
let books: TestBooks;
let ada: string;
let bola: string;
beforeAll(async () => {
  context = await openTestPayments();
});
beforeEach(async () => {
  context.setClock(START);
  books = await createBooks(context);
  [ada, bola] = [await finance(), await finance()];
});
afterAll(() => context.close());

/** A person who closes months of this merchant alone. */
async function finance(): Promise<string> {
  const staffId = await testStaff(context);
  await grantRole(context, { staffId, merchantId: books.merchantId, role: 'finance', actor: 'system:test' });
  return `staff:${staffId}`;
}

const later = (hours: number) => new Date(START.getTime() + hours * HOUR_MS);
const require = (required: boolean, actor: string) => requireReview(context, books, required, actor);
const rule = () => readReviewRule(context, books);
const leave = (actor: string) =>
  context.database.prisma.staffUser.update({ where: { id: actor.slice('staff:'.length) }, data: { disabledAt: context.now() } });

test('who needs the second person at a month’s close cannot switch the rule off, sign, and switch it on again', async () => {
  await recordPaid(context, books, '2026-10-05T10:00:00Z');
  expect(await require(true, ada)).toEqual({ kind: 'changed', required: true });
  await closeMonth(context, { ...books, month: MONTH }, ada);
  const { hash } = (await readFrozen(context.database, { ...books, month: MONTH })) ?? { hash: '' };
  const seen = { ...books, month: MONTH, hash };
  const refused = { kind: 'refused', why: 'Another person has to review it first.' };
  expect(await signMonth(context, seen, ada)).toEqual(refused);
  expect(await require(false, ada)).toEqual({ kind: 'needs_second_person', requestedBy: ada, until: later(24) });
  expect(await require(false, ada)).toMatchObject({ kind: 'needs_second_person' });
  // The other settings of the books are the person's own, and say nothing of it.
  await changeAccountingSetting(context, books, { timeZone: 'Africa/Lagos', mapping: { ...NO_MAPPING, taxRate: 'Exempt' } }, ada);
  expect(await signMonth(context, seen, ada)).toEqual(refused);
  expect(await rule()).toMatchObject({ required: true, waiver: { requestedBy: ada } });
  await reviewMonth(context, seen, '', bola);
  expect(await signMonth(context, seen, ada)).toEqual({ kind: 'changed' });
});

test('another person agrees within a day, and then one signs', async () => {
  await require(true, ada);
  await require(false, ada);
  context.setClock(later(23));
  expect(await require(false, bola)).toEqual({ kind: 'changed', required: false });
  expect(await rule()).toMatchObject({ required: false, waiver: null });
  expect(await require(false, bola)).toEqual({ kind: 'unchanged', required: false });
});

test('it stays when the other agrees a day too late, declines, or the request was withdrawn', async () => {
  await require(true, ada);
  await require(false, ada);
  context.setClock(later(24));
  expect(await require(false, bola)).toMatchObject({ kind: 'needs_second_person', requestedBy: bola });
  expect(await require(true, ada)).toEqual({ kind: 'changed', required: true });
  expect(await rule()).toMatchObject({ required: true, waiver: null });
  expect(await require(false, ada)).toMatchObject({ kind: 'needs_second_person', requestedBy: ada });
});

test('of two who ask at once, one makes the request and the other agrees', async () => {
  await require(true, ada);
  const outcomes = await Promise.all([require(false, ada), require(false, bola)]);
  expect(outcomes.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'needs_second_person']);
});

test('one who is alone cannot switch it on; who is left alone switches it off, which is audited as that', async () => {
  await leave(bola);
  expect(await require(true, ada)).toEqual({ kind: 'no_second_person' });
  const chi = await finance();
  expect(await require(true, ada)).toEqual({ kind: 'changed', required: true });
  await leave(chi);
  expect(await require(false, ada)).toEqual({ kind: 'changed', required: false });
  const rows = await context.database.prisma.auditEntry.findMany({
    where: { tenantId: books.merchantId, objectType: 'accounting_setting' },
    orderBy: { position: 'asc' },
  });
  expect(rows.map(({ action, actor, after }) => [action, actor, after])).toEqual([
    ['month_close.review_rule_changed', ada, { mode: books.mode, needsReview: true, waiverRequestedBy: null }],
    [
      'month_close.review_rule_changed',
      ada,
      { mode: books.mode, needsReview: false, waiverRequestedBy: null, withoutSecondPerson: true },
    ],
  ]);
});

test('it is for people of the merchant, and of these books alone', async () => {
  expect(await require(true, 'system:seed')).toEqual({ kind: 'not_a_person' });
  expect(await requireReview(context, { ...books, merchantId: context.newId() }, true, ada)).toEqual({ kind: 'not_found' });
  await require(true, ada);
  expect(await readReviewRule(context, { ...books, mode: 'live' })).toMatchObject({ required: false });
  // The first rule of books that have no setting makes none of the others.
  expect(await readAccountingSetting(context.database, books)).toEqual({ timeZone: 'Africa/Lagos', mapping: NO_MAPPING });
});

test('a request waits for the others, until it expires', async () => {
  await require(true, ada);
  await require(false, ada);
  const waiting = (actor: string) =>
    listReviewWaivers(context, { merchantIds: [books.merchantId], mode: books.mode, staffId: actor.slice('staff:'.length) });
  expect(await waiting(bola)).toMatchObject([{ merchantId: books.merchantId, requestedBy: ada, until: later(24) }]);
  expect(await waiting(ada)).toEqual([]);
  context.setClock(later(24));
  expect(await waiting(bola)).toEqual([]);
});
