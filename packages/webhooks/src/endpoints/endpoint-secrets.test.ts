import { openVault } from '@switchyard/db/process';
import { expect, test } from 'vitest';
import { makeEndpointSecret, openSecrets, sealSecret } from './endpoint-secrets.ts';

const vault = openVault(`k1:${Buffer.alloc(32, 1).toString('base64')}`);
const key = { merchantId: 'm1', endpointId: 'e1' };
const now = new Date('2026-11-20T12:00:00Z');

test('a secret has 256 random bits', () => {
  expect(makeEndpointSecret((size) => new Uint8Array(size))).toBe(`whsec_${Buffer.alloc(32).toString('base64')}`);
});

test('a sealed secret opens at its own endpoint alone: copied to another row, it signs nothing', () => {
  const secrets = [sealSecret(vault, 'whsec_1', key)];
  expect(openSecrets(vault, { ...key, secrets, previousSecretEndsAt: null }, now)).toEqual(['whsec_1']);
  for (const other of [
    { ...key, endpointId: 'e2' },
    { ...key, merchantId: 'm2' },
  ]) {
    expect(() => openSecrets(vault, { ...other, secrets, previousSecretEndsAt: null }, now)).toThrow('belongs to another row');
  }
});

test('the secret before signs until its end, and not from then on', () => {
  const secrets = ['whsec_new', 'whsec_old'].map((secret) => sealSecret(vault, secret, key));
  const at = (ms: number) => openSecrets(vault, { ...key, secrets, previousSecretEndsAt: new Date(now.getTime() + ms) }, now);
  expect([at(1), at(0)]).toEqual([['whsec_new', 'whsec_old'], ['whsec_new']]);
});
