import { describe, expect, it } from 'vitest';
import { payerOf } from './payers.ts';
import { createRedactor } from './redact.ts';

describe('the payer of a transfer', () => {
  it.each([
    ['0123456789', '6789'],
    ['******1070', '1070'],
    ['123*******90', '90'],
    ['XXXXXXX553', '553'],
    ['N/A', null],
    ['', null],
  ])('has of the account number %s the end alone', (accountNumber, accountEnd) => {
    expect(payerOf({ name: 'Ada Obi', accountNumber }).payer).toEqual({ bank: null, name: 'Ada Obi', accountEnd });
  });

  it('is none where the gateway names nothing', () => {
    for (const words of [null, undefined, {}, { bank: ' ', name: 'N/A', accountNumber: null }])
      expect(payerOf(words)).toEqual({});
  });

  it('is stored in no body with the account number whole', () => {
    const body = {
      paymentSourceInformation: [{ accountNumber: '0000000190', accountName: 'Ada Obi' }],
      sender_bank_account_number: 'XXX553',
    };
    expect(createRedactor([]).json(body)).toEqual({
      paymentSourceInformation: [{ accountNumber: '******0190', accountName: 'Ada Obi' }],
      sender_bank_account_number: 'XXX553',
    });
  });
});
