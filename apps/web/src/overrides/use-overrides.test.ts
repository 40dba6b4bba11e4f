import { expect, it } from 'vitest';
import { nameAccount } from './use-overrides.ts';

const account = { label: 'paystack-main', merchantName: 'Yaba Gadget Hub' };

it('names whose account is meant on a page of all merchants, and only there', () => {
  expect(nameAccount(account, { merchantId: null })).toBe('paystack-main of Yaba Gadget Hub');
  expect(nameAccount(account, { merchantId: 'a' })).toBe('paystack-main');
});
