import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { openSignInLimits, type SignInLimits } from './sign-in-limits.ts';

let context: TestContext;
let limits: SignInLimits;

beforeAll(async () => {
  context = await openTestContext();
  limits = openSignInLimits(context.database);
});
afterAll(() => context.close());
beforeEach(() => context.database.prisma.staffSignInLimit.deleteMany());

const times = async (count: number, act: (round: number) => Promise<unknown>) => {
  for (let round = 0; round < count; round++) await act(round);
};
const household = (host: number) => `2001:db8:1:2::${host.toString(16)}`;
const REFUSED = { retryAfterSeconds: expect.any(Number) };

test('tries from one household’s IPv6 addresses are counted together, and those of the next apart', async () => {
  await times(100, (round) => limits.tryPassword(`person-${round}@example.com`, household(round + 1)));
  expect(await limits.tryPassword('another@example.com', household(500))).toEqual(REFUSED);
  expect(await limits.tryPassword('another@example.com', '2001:db8:1:3::1')).toBeNull();
});

test('requests for reset links from one household’s IPv6 addresses are counted together', async () => {
  await times(20, (round) => limits.askReset(`person-${round}@example.com`, household(round + 1)));
  expect(await limits.askReset('another@example.com', household(500))).toEqual(REFUSED);
  expect(await limits.askReset('another@example.com', '2001:db8:1:3::1')).toBe('send');
});
