import { openTestContext, type TestContext } from '@switchyard/runtime/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { networkOf, openSignInLimits, type SignInLimits } from './sign-in-limits.ts';

describe('sign in limits', () => {
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
  const at = (host: number) => `203.0.113.${host}`;
  const REFUSED = { retryAfterSeconds: expect.any(Number) };
  const tryPassword = (email: string, address: string | null, device: string | null = null) =>
    limits.tryPassword({ email, address, device });

  test('tries from one household’s IPv6 addresses are counted together, and those of the next apart', async () => {
    await times(100, (round) => tryPassword(`person-${round}@example.com`, household(round + 1)));
    expect(await tryPassword('another@example.com', household(500))).toMatchObject({ kind: 'refused' });
    expect(await tryPassword('another@example.com', '2001:db8:1:3::1')).toEqual({ kind: 'allowed' });
  });

  test('requests for reset links from one household’s IPv6 addresses are counted together', async () => {
    await times(20, (round) => limits.askReset(`person-${round}@example.com`, household(round + 1)));
    expect(await limits.askReset('another@example.com', household(500))).toEqual(REFUSED);
    expect(await limits.askReset('another@example.com', '2001:db8:1:3::1')).toBe('send');
  });

  test('requests for reset links of one person are counted together, in any spelling of their address and from any network', async () => {
    const spellings = ['ada@example.com', 'Ada@Example.COM', ' ada@example.com\u00a0'];
    for (const [round, email] of spellings.entries()) expect(await limits.askReset(email, at(round + 1))).toBe('send');
    for (const email of spellings) expect(await limits.askReset(email, at(9))).toBe('leave');
    expect(await limits.askReset('bola@example.com', at(9))).toBe('send');
  });

  test('a person’s tries from one network are refused after ten, and what is refused does not count for them elsewhere', async () => {
    await times(150, () => tryPassword('ada@example.com', at(1)));
    expect(await tryPassword('ada@example.com', at(1))).toEqual({ kind: 'refused', ...REFUSED });
    expect(await tryPassword('ada@example.com', at(2))).toEqual({ kind: 'allowed' });
    expect(await tryPassword('bola@example.com', at(1))).toEqual({ kind: 'allowed' });
  });

  test('a person’s tries over all networks leave the second factor after a hundred, and known devices as they are', async () => {
    await times(100, (round) => tryPassword('ada@example.com', at(round + 1)));
    expect(await tryPassword('ada@example.com', at(200))).toEqual({ kind: 'second_factor_only', ...REFUSED });
    expect(await tryPassword('ada@example.com', at(200), 'known')).toEqual({ kind: 'allowed' });
    expect(await tryPassword('bola@example.com', at(200))).toEqual({ kind: 'allowed' });
  });

  test('a known device has ten tries for its person, even where its network is shut', async () => {
    await times(110, (round) => tryPassword(`person-${round}@example.com`, at(1)));
    expect(await tryPassword('ada@example.com', at(1))).toEqual({ kind: 'refused', ...REFUSED });
    for (let round = 0; round < 10; round++) {
      expect(await tryPassword('ada@example.com', at(1), 'known')).toEqual({ kind: 'allowed' });
    }
    expect(await tryPassword('ada@example.com', at(1), 'known')).toEqual({ kind: 'refused', ...REFUSED });
  });

  test('tries from unknown addresses count as one network for each person', async () => {
    await times(10, () => tryPassword('ada@example.com', null));
    expect(await tryPassword('ada@example.com', null)).toEqual({ kind: 'refused', ...REFUSED });
    expect(await tryPassword('bola@example.com', null)).toEqual({ kind: 'allowed' });
  });

  test('refused sign-ins are recorded a hundred an hour from a network or a known device', async () => {
    await times(100, (round) => limits.mayRecord({ address: household(round + 1), device: null }));
    expect(await limits.mayRecord({ address: household(500), device: null })).toBe(false);
    expect(await limits.mayRecord({ address: household(500), device: 'known' })).toBe(true);
    expect(await limits.mayRecord({ address: '2001:db8:1:3::1', device: null })).toBe(true);
    await times(100, () => limits.mayRecord({ address: null, device: null }));
    expect(await limits.mayRecord({ address: null, device: null })).toBe(false);
  });

  test('a sign-in resets the person’s count for its network, and a password check in a session counts there alone', async () => {
    await times(10, () => tryPassword('ada@example.com', at(1)));
    await limits.signedIn({ email: 'ada@example.com', address: at(1) });
    expect(await tryPassword('ada@example.com', at(1))).toEqual({ kind: 'allowed' });
    await times(10, () => limits.tryInSession('session'));
    expect(await limits.tryInSession('session')).toEqual(REFUSED);
    expect(await limits.tryInSession('another')).toBeNull();
    await limits.rightInSession('session');
    expect(await limits.tryInSession('session')).toBeNull();
  });
});

describe('network of', () => {
  describe('the network of an address', () => {
    test.each([
      ['203.0.113.9', '203.0.113.9'],
      [' 203.0.113.9 ', '203.0.113.9'],
      ['::ffff:203.0.113.9', '203.0.113.9'],
      ['::FFFF:cb00:7109', '203.0.113.9'],
      ['64:ff9b::203.0.113.9', '203.0.113.9'],
      ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
      ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
      ['2001:0db8:0001:0002:0000:0000:0000:0001', '2001:db8:1:2::/64'],
      ['fe80::1%eth0', 'fe80::/64'],
      ['::1', '::/64'],
      ['Unknown', 'unknown'],
      ['', ''],
    ])('of %s is %s', (address, network) => {
      expect(networkOf(address)).toBe(network);
    });

    test('is another one beside it', () => {
      expect(networkOf('2001:db8:1:3::1')).not.toBe(networkOf('2001:db8:1:2::1'));
      expect(networkOf('64:ff9b::203.0.113.9')).not.toBe(networkOf('64:ff9b::203.0.113.10'));
    });
  });
});
