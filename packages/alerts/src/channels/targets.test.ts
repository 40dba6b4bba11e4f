import { describe, expect, test } from 'vitest';
import { targetProblems, targetSchema } from './targets.ts';

/** Hosts that lead to this machine, a private network or a cloud's metadata, in every notation that some parser reads. */
const INSIDE = [
  ...[
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '017700000001',
    '127.0.0.1.',
    '127.255.255.254',
  ],
  ...[
    '10.0.0.1',
    '10.1',
    '167772161',
    '0xa000001',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '3232235777',
    '0xc0.0xa8.1.1',
    '100.64.0.1',
  ],
  ...[
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[fc00::1]',
    '[fd12:3456::1]',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'a.localhost',
    'box.internal',
    'shop',
  ],
];
const NOWHERE = [
  ...[
    '0.0.0.0',
    '0',
    '0x0',
    '00',
    '0.1.2.3',
    '169.254.169.254',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '169.254.43518',
  ],
  ...[
    '[::]',
    '[fe80::1]',
    '[fe80::a9fe:a9fe]',
    '[ff02::1]',
    '224.0.0.1',
    '240.0.0.1',
    '255.255.255.255',
    '[2001:db8::1]',
    '[2002:7f00:1::]',
  ],
  ...[
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:169.254.169.254]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[64:ff9b::a9fe:a9fe]',
  ],
];
const PATHS = ['/', '/hook?a=b', ':8443/latest/meta-data/'];
const KINDS = ['slack', 'teams', 'webhook', 'pagerduty'] as const;

function problemsOf(kind: (typeof KINDS)[number], url: string, modes: readonly ('live' | 'test')[]) {
  const rest = {
    slack: {},
    teams: {},
    webhook: { secret: `whsec_${'a'.repeat(32)}` },
    pagerduty: { routingKey: 'a'.repeat(32) },
  };
  const parsed = targetSchema.safeParse({ kind, url, ...rest[kind] });
  if (!parsed.success) return parsed.error.issues.map(({ path }) => path.join('.'));
  return targetProblems(parsed.data, modes).map(({ field }) => field);
}

describe.each(KINDS)('the address of a %s channel', (kind) => {
  test('is accepted where it is public', () => {
    expect(problemsOf(kind, 'https://hooks.slack.example/services/x', ['live', 'test'])).toEqual([]);
  });

  test('that leads inside is refused for live incidents, and one that leads nowhere for any', () => {
    const tried = { live: 0, test: 0 };
    for (const scheme of ['https', 'http']) {
      for (const path of PATHS) {
        for (const host of [...INSIDE, ...NOWHERE]) {
          tried.live += 1;
          expect(problemsOf(kind, `${scheme}://${host}${path}`, ['live']), `${scheme}://${host}${path}`).toEqual(['url']);
        }
        for (const host of NOWHERE) {
          tried.test += 1;
          expect(problemsOf(kind, `${scheme}://${host}${path}`, ['test']), `${scheme}://${host}${path}`).toEqual(['url']);
        }
      }
    }
    expect(tried.live).toBeGreaterThan(200);
  });
});
