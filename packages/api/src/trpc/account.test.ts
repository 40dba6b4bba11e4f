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
