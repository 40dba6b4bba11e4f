import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openVault, VaultError } from './vault.ts';

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64');
const vault = openVault(`k2:${key(2)},k1:${key(1)}`);

describe('sealing', () => {
  test('any text comes back, and only under the binding it was sealed with', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (text, binding, other) => {
        const sealed = vault.seal(text, binding);
        expect(vault.open(sealed, binding)).toBe(text);
        if (other !== binding) expect(() => vault.open(sealed, other)).toThrow(VaultError);
      }),
    );
  });

  test('the clear text is nowhere in the sealed value, and no two seals are alike', () => {
    const secret = 'sk_live_abcdefghijklmnop';
    const first = vault.seal(secret, 'a');
    const second = vault.seal(secret, 'a');
    expect(first).not.toContain(secret);
    expect(first).not.toBe(second);
  });

  test('a changed byte anywhere is noticed', () => {
    const sealed = vault.seal('secret', 'row');
    for (let at = 0; at < sealed.length; at++) {
      const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1);
      let opened: string | undefined;
      try {
        opened = vault.open(changed, 'row');
      } catch (error) {
        expect(error).toBeInstanceOf(VaultError);
      }
      // base64url leaves a few bits of the last character unused; whatever opens must be the text itself.
      if (opened !== undefined) expect(opened).toBe('secret');
    }
  });
});

describe('rotating keys', () => {
  test('a value sealed with an older key opens and is known to be stale', () => {
    const old = openVault(`k1:${key(1)}`).seal('secret', 'row');
    expect(vault.open(old, 'row')).toBe('secret');
    expect(vault.isStale(old)).toBe(true);
    expect(vault.isStale(vault.seal('secret', 'row'))).toBe(false);
  });

  test('a value sealed with a removed key does not open', () => {
    expect(() => openVault(`k1:${key(1)}`).open(vault.seal('secret', 'row'), 'row')).toThrow(/k2/);
  });
});

test.each(['', 'k1', 'k1:short', `k1:${key(1)}:x`, `k 1:${key(1)}`])('the key ring %j is refused', (ring) => {
  expect(() => openVault(ring)).toThrow(VaultError);
});
