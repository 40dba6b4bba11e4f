import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Switchyard } from '../process.ts';
import { sessionOf } from '../testing/dashboard.ts';
import { createStaffWithGrants, openTestSwitchyard } from '../testing/switchyard.ts';
import { createCallerFactory } from './procedure.ts';
import { appRouter } from './router.ts';

let switchyard: Switchyard;
let close: () => Promise<void>;

beforeAll(async () => {
  ({ switchyard, close } = await openTestSwitchyard());
  await createStaffWithGrants(switchyard, 'ada@example.com', [{ merchantId: null, role: 'viewer' }]);
  await createStaffWithGrants(switchyard, 'ben@example.com', [{ merchantId: null, role: 'owner' }]);
});
afterAll(() => close());

const staffUser = (email: string) => switchyard.resources.database.prisma.staffUser.findUniqueOrThrow({ where: { email } });

async function callerOf(email: string) {
  const { id } = await staffUser(email);
  return createCallerFactory(appRouter)({ switchyard, session: sessionOf('viewer', null, id) });
}

test('a staff user of any role sets their own time zone, and returns to that of the workspace', async () => {
  const ada = await callerOf('ada@example.com');
  expect(await ada.account.setTimeZone({ timeZone: 'Africa/Nairobi' })).toEqual({ timeZone: 'Africa/Nairobi' });
  expect(await staffUser('ada@example.com')).toMatchObject({ timeZone: 'Africa/Nairobi' });
  expect(await staffUser('ben@example.com')).toMatchObject({ timeZone: null });
  await ada.account.setTimeZone({ timeZone: null });
  expect(await staffUser('ada@example.com')).toMatchObject({ timeZone: null });
});

test.each(['Africa/Atlantis', '+01:00', '', 'africa/lagos'])(
  'the time zone %j is refused, and the one before stays',
  async (timeZone) => {
    const ada = await callerOf('ada@example.com');
    await ada.account.setTimeZone({ timeZone: 'UTC' });
    await expect(ada.account.setTimeZone({ timeZone })).rejects.toMatchObject({ code: 'BAD_REQUEST' });
    expect(await staffUser('ada@example.com')).toMatchObject({ timeZone: 'UTC' });
  },
);

test('without a session it is refused', async () => {
  const anonymous = createCallerFactory(appRouter)({ switchyard, session: null });
  await expect(anonymous.account.setTimeZone({ timeZone: 'UTC' })).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('the columns of tables are kept for each person, a table at a time, and go back to the default ones', async () => {
  const [ada, ben] = [await callerOf('ada@example.com'), await callerOf('ben@example.com')];
  expect(await ada.account.tables()).toEqual({});
  const payments = { columns: ['order', 'amount'], pinned: ['order'] };
  const keys = { columns: null, pinned: ['name'] };
  await Promise.all([
    ada.account.setTable({ table: 'payments', choice: payments }),
    ada.account.setTable({ table: 'keys', choice: keys }),
  ]);
  expect(await ada.account.tables()).toEqual({ payments, keys });
  await ada.account.setTable({ table: 'payments', choice: { ...payments, pinned: [] } });
  expect(await ada.account.tables()).toEqual({ payments: { ...payments, pinned: [] }, keys });
  await ada.account.setTable({ table: 'payments', choice: null });
  expect(await ada.account.tables()).toEqual({ keys });
  expect(await ben.account.tables()).toEqual({});
});

test.each([
  { table: 'Payments"', choice: null },
  { table: 'payments', choice: { columns: ['x'.repeat(61)], pinned: [] } },
  { table: 'payments', choice: { columns: Array.from({ length: 61 }, (_, at) => `c${at}`), pinned: [] } },
])('columns out of bounds are refused', async (input) => {
  const ada = await callerOf('ada@example.com');
  await expect(ada.account.setTable(input)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
});

test('what a person keeps is bounded', async () => {
  const ben = await callerOf('ben@example.com');
  const columns = Array.from({ length: 60 }, (_, at) => `${at}-${'x'.repeat(50)}`);
  const keep = (at: number) => ben.account.setTable({ table: `table-${at}`, choice: { columns, pinned: [] } });
  await expect(
    (async () => {
      for (let at = 0; at < 30; at++) await keep(at);
    })(),
  ).rejects.toThrow();
  expect(Object.keys(await ben.account.tables()).length).toBeLessThan(30);
});
